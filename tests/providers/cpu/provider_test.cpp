// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <string>

#include "cpu_file.hpp"
#include "tenure/sdk/pool/host_upstream.hpp"

using namespace tenure_test;

namespace {

// What the kernel says that the processor has and that the system saves the registers of.
bool processor_has(std::initializer_list<const char*> flags) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("flags")) {
  }
  line += ' ';
  for (const char* const flag : flags) {
    if (line.find(" " + std::string(flag) + " ") == std::string::npos) return false;
  }
  return true;
}

bool opens(const OpenPairs& pairs) {
  tenure_instance* instance = nullptr;
  CallStatus status;
  if (open(cpu(), pairs, &instance, status) != TENURE_OK) return false;
  cpu().table().close(instance);
  return true;
}

}  // namespace

TEST_CASE("cpu provider: one domain, plain host memory") {
  const OpenInstance instance(cpu());
  REQUIRE(instance.api().domain_count(instance.handle()) == 1);
  const auto info = instance.domain_info(0);
  CHECK(text_of(info.name) == "cpu:0/pageable");
  CHECK(info.memory == TENURE_MEMORY_PAGEABLE);
  CHECK((info.access & TENURE_ACCESS_COHERENT) != 0);
  CHECK(info.total_bytes == tenure::sdk::pool::HostUpstream::memory_bytes());
}

TEST_CASE("cpu provider: the domain counts storage as it was asked for, and refusals once") {
  const OpenInstance instance(cpu());
  const auto first = instance.create(0, 1000, 4096);
  const auto second = instance.create(0, 500, 0, TENURE_STORAGE_ZERO);
  CHECK(second.allocation_id == 0);
  CHECK(instance.statistics(0).live_count == 2);
  CHECK(instance.statistics(0).live_bytes == 1500);
  CHECK(instance.statistics(0).create_calls == 2);
  instance.release(first.storage);
  instance.release(second.storage);

  auto desc = tenure::abi::make_struct<tenure_storage_desc>();
  desc.bytes = std::uint64_t{1} << 60;
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  CallStatus status;
  CHECK_REFUSED(TENURE_RESOURCE_EXHAUSTED, "no room", status,
                instance.api().storage_create(instance.handle(), 0, &desc, &info, status.get()));
  const auto statistics = instance.statistics(0);
  CHECK(statistics.live_count == 0);
  CHECK(statistics.live_bytes == 0);
  CHECK(statistics.peak_bytes == 1500);
  CHECK(statistics.release_calls == 2);
  CHECK(statistics.failed_calls == 1);
}

TEST_CASE("cpu provider: an ISA level is there exactly when the processor has all of it") {
  const bool has_v3 = processor_has({"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"});
  const bool has_v4 = has_v3 && processor_has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"});
  CHECK(opens({{"isa", "auto"}}));
  CHECK(opens({{"isa", "baseline"}}));
  CHECK(opens({{"isa", "x86-64-v3"}}) == has_v3);
  CHECK(opens({{"isa", "x86-64-v4"}}) == has_v4);
}

TEST_CASE("cpu provider: an option that is none, or a value that is none, is refused in words") {
  const std::pair<OpenPairs, const char*> refused[] = {
      {{{"isa", "avx9"}}, "expected auto, baseline"},
      {{{"pool_mode", "fast"}}, "expected count, poison, guard or bypass"},
      {{{"pool_retained_bytes", "-1"}}, "pool_retained_bytes"},
      {{{"pool_retained_bytes", "many"}}, "a whole number"},
      {{{"streaming_bytes", "-1"}}, "streaming_bytes"},
      {{{"threads", "0"}}, "from 1 to 1024"},
      {{{"threads", "1025"}}, "from 1 to 1024"},
      {{{"colour", "red"}}, "isa, pool_mode, pool_retained_bytes, streaming_bytes, threads"},
  };
  for (const auto& [pairs, words] : refused) {
    CAPTURE(pairs[0].first);
    tenure_instance* instance = nullptr;
    CallStatus status;
    CHECK_REFUSED(TENURE_INVALID_ARGUMENT, words, status, open(cpu(), pairs, &instance, status));
    CHECK(instance == nullptr);
  }
  CHECK(opens(
      {{"threads", "3"}, {"pool_retained_bytes", "0"}, {"pool_mode", "guard"}, {"streaming_bytes", "0"}}));
}
