// SPDX-License-Identifier: Apache-2.0
#include "processor_count.hpp"

#include <doctest/doctest.h>
#include <sched.h>

#include <thread>

TEST_CASE("processor_count: a thread that is bound to one processor may use one") {
  CHECK(tenure::cpu::processor_count() >= 1);
  int bound = 0;
  std::thread([&bound] {
    cpu_set_t all, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) != 0) return;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
      if (!CPU_ISSET(static_cast<std::size_t>(processor), &all)) continue;
      CPU_SET(static_cast<std::size_t>(processor), &one);
      break;
    }
    if (sched_setaffinity(0, sizeof one, &one) == 0) bound = tenure::cpu::processor_count();
  }).join();
  CHECK(bound == 1);
}
