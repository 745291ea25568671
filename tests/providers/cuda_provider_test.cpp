// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <stdio.h>

#include <string>

#include "providers/loaded_provider.hpp"

using namespace tenure_test;

namespace {

LoadedProvider& cuda() {
  static LoadedProvider provider(TENURE_CUDA_FILE);
  return provider;
}

tenure_availability availability() {
  auto answer = tenure::abi::make_struct<tenure_availability>();
  CallStatus status;
  REQUIRE_OK(status, cuda().table().availability(cuda().host().table(), &answer, status.get()));
  return answer;
}

std::string output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  char part[4096];
  while (const std::size_t bytes = fread(part, 1, sizeof part, pipe)) text.append(part, bytes);
  REQUIRE(pclose(pipe) == 0);
  return text;
}

}  // namespace

TEST_CASE("cuda: it needs no CUDA library to be loaded") {
  const std::string dynamic = output_of("readelf --dynamic --wide '" TENURE_CUDA_FILE "'");
  CHECK(dynamic.find("NEEDED") != std::string::npos);
  CHECK(dynamic.find("[libcuda") == std::string::npos);
}

TEST_CASE("cuda: it loads everywhere and says in a sentence why it is not available") {
  const auto answer = availability();
  CHECK(answer.code == TENURE_UNAVAILABLE);
  const std::string reason = answer.reason;
  CHECK_FALSE(reason.empty());
  if (dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) == nullptr) {
    CHECK(reason.find("no NVIDIA driver (libcuda.so.1) on this machine") != std::string::npos);
  }
}

TEST_CASE("cuda: open answers what availability says") {
  tenure_instance* instance = nullptr;
  CallStatus status;
  CHECK_REFUSED(TENURE_UNAVAILABLE, availability().reason, status, open(cuda(), {}, &instance, status));
  CHECK(instance == nullptr);
}
