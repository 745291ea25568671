// SPDX-License-Identifier: Apache-2.0
#include "cuda_availability.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tenure/provider_abi.h"

using tenure::cuda::explain;

namespace {

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("cuda availability: a machine without a driver is told which library is missing") {
  CHECK(has(explain({}, 13000), "no NVIDIA driver (libcuda.so.1) on this machine"));
}

TEST_CASE("cuda availability: a driver that is too old is named with both versions") {
  const std::string reason = explain({.is_found = true, .version = 11040}, 13010);
  CHECK(has(reason, "supports CUDA 11.4"));
  CHECK(has(reason, "needs CUDA 13.0"));
  CHECK_FALSE(has(reason, "libcuda.so.1"));
}

TEST_CASE("cuda availability: the toolkit's stub library is not taken for a driver") {
  CHECK(has(explain({.is_found = true, .error = 34}, 13000), "stub"));
}

TEST_CASE("cuda availability: any other error is given by number") {
  CHECK(has(explain({.is_found = true, .error = 804}, 13000), "error 804"));
}

TEST_CASE("cuda availability: where the driver will do this version says that it has no domains") {
  for (const int version : {13000, 13010, 14000}) {
    CHECK(has(explain({.is_found = true, .version = version}, 13010), "no CUDA domains yet"));
  }
}

TEST_CASE("cuda availability: every reason fits where the contract puts it") {
  for (int error = 0; error < 1000; ++error) {
    for (const bool is_found : {false, true}) {
      for (const int version : {0, 13000}) {
        const std::string reason = explain({.is_found = is_found, .error = error, .version = version}, 13000);
        CHECK_FALSE(reason.empty());
        CHECK(reason.size() < sizeof(tenure_availability::reason));
      }
    }
  }
}
