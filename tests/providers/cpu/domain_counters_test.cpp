// SPDX-License-Identifier: Apache-2.0
#include "domain_counters.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <thread>
#include <vector>

using tenure::cpu::DomainCounters;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint32_t no_index = UINT32_MAX;

}  // namespace

TEST_CASE("DomainCounters: the peak of one thread is exact, whatever its index") {
  for (const std::uint32_t index : {0u, 5u, 63u, 5000u, no_index}) {
    DomainCounters counters;
    counters.add_live(index, 3000);
    counters.remove_live(index, 3000);
    counters.add_live(index, 1000);
    CHECK(counters.snapshot().peak_bytes == 3000);
    counters.add_live(index, 2001);
    CHECK(counters.snapshot().live_count == 2);
    CHECK(counters.snapshot().live_bytes == 3001);
    counters.remove_live(index, 1000);
    counters.remove_live(index, 2001);
    CHECK(counters.snapshot().live_count == 0);
    CHECK(counters.snapshot().live_bytes == 0);
    CHECK(counters.snapshot().peak_bytes == 3001);
  }
}

TEST_CASE("DomainCounters: large storage of several threads adds up to the peak") {
  DomainCounters counters;
  counters.add_live(0, 10 * mebibyte);
  counters.remove_live(0, 10 * mebibyte);
  counters.add_live(1, 8 * mebibyte);
  counters.add_live(0, 6 * mebibyte);
  counters.add_live(no_index, 4 * mebibyte);
  counters.remove_live(0, 6 * mebibyte);
  counters.remove_live(1, 8 * mebibyte);
  counters.remove_live(no_index, 4 * mebibyte);
  CHECK(counters.snapshot().live_bytes == 0);
  CHECK(counters.snapshot().peak_bytes == 18 * mebibyte);
}

TEST_CASE("DomainCounters: of several threads each hides at most 256 KiB or a 32nd of the peak") {
  DomainCounters counters;
  for (std::uint32_t index = 0; index < 4; ++index) counters.add_live(index, 1);
  for (int i = 0; i < 4000; ++i) {
    for (std::uint32_t index = 0; index < 4; ++index) counters.add_live(index, 1000);
  }
  const std::uint64_t highest_bytes = counters.snapshot().live_bytes;
  CHECK(highest_bytes == 4 * 4'000'001);
  for (int i = 0; i < 4000; ++i) {
    for (std::uint32_t index = 0; index < 4; ++index) counters.remove_live(index, 1000);
  }
  CHECK(counters.snapshot().live_bytes == 4);
  CHECK(counters.snapshot().peak_bytes <= highest_bytes);
  CHECK(counters.snapshot().peak_bytes >= highest_bytes - 4 * (highest_bytes / 32));
}

TEST_CASE("DomainCounters: a thread may release what others acquired") {
  DomainCounters counters;
  for (int i = 0; i < 1000; ++i) {
    counters.add_live(0, mebibyte);
    counters.remove_live(1, mebibyte);
  }
  CHECK(counters.snapshot().live_count == 0);
  CHECK(counters.snapshot().live_bytes == 0);
  CHECK(counters.snapshot().peak_bytes == mebibyte);
}

TEST_CASE("DomainCounters: threads that count at once lose nothing") {
  DomainCounters counters;
  {
    std::vector<std::jthread> threads;
    for (const std::uint32_t index : {1u, 2u, 63u, 64u, no_index}) {
      threads.emplace_back([&counters, index] {
        for (int i = 0; i < 5000; ++i) {
          counters.add_live(index, 100);
          counters.add_live(index, 28);
          counters.remove_live(index, 100);
        }
      });
    }
  }
  CHECK(counters.snapshot().live_count == 5 * 5000);
  CHECK(counters.snapshot().live_bytes == 5 * 5000 * 28);
  CHECK(counters.snapshot().peak_bytes >= 5 * 5000 * 28);
}
