// SPDX-License-Identifier: Apache-2.0
// case: one row of the report, before it was measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "peer.hpp"

namespace tenure::bench {

// Does `repetitions` operations and returns what one of them cost, in the unit of its case.
using Sample = std::function<double(std::uint64_t repetitions)>;

// Nanoseconds by the monotonic clock.
Sample timed(Work work);

struct Contender {
  std::string name;
  Sample sample;
};

// Operands, results and what runs on them. It holds the memory, so it is made just before it is measured.
struct Case {
  std::vector<std::shared_ptr<void>> keeps;  // owners of what contenders look at; they end last
  Sample ours;
  std::vector<Contender> peers;
  std::vector<std::string> absent;  // peers of this row that were not built
  std::function<void()> verify;     // throws Mismatch; null where there is nothing to compare
  std::string shape;                // for a person
};

enum class Better {
  lower,
  higher
};

struct CaseEntry {
  std::string name;       // suite/operation/.../shape/threads
  std::size_t bytes = 0;  // that it needs at once, about
  unsigned threads = 1;
  std::function<Case()> make;
  std::string unit = "ns";
  Better better = Better::lower;
};

using CaseList = std::vector<CaseEntry>;

}  // namespace tenure::bench
