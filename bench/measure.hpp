// SPDX-License-Identifier: Apache-2.0
// measure: contenders of one case, taken in turn.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "case.hpp"

namespace tenure::bench {

struct Quartiles {
  double median = 0;
  double p25 = 0;
  double p75 = 0;
};

// Of at least one sample.
Quartiles quartiles(std::vector<double> samples);

struct PeerResult {
  std::string name;
  Quartiles cost;
  double ratio = 0;  // how many times better ours is
};

struct CaseResult {
  std::string name;
  std::string shape;
  std::string unit;
  Better better = Better::lower;
  unsigned threads = 1;
  Quartiles ours;
  std::vector<PeerResult> peers;
  std::vector<std::string> absent;
};

// Each contender is warmed up and given as many repetitions for one sample as make the clock's own cost
// vanish. Then rounds: one sample of each, first in turn, until each had about `time_min_s`.
CaseResult measure(const CaseEntry& entry, const Case& measured, double time_min_s);

}  // namespace tenure::bench
