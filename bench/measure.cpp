// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace tenure::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double sample_min_s = 50e-6;
constexpr double sample_max_s = 2e-3;
constexpr double samples_wanted = 25;
constexpr std::size_t rounds_min = 5;
constexpr std::size_t rounds_max = 101;
// Other libraries' threads go on spinning for a while after their work is done.
constexpr std::chrono::milliseconds settle_time{2};

struct Lane {
  const Sample* sample;
  std::uint64_t repetitions = 1;
  double sample_s = 0;
  std::vector<double> values{};

  void calibrate(double wanted_s) {
    // Once for what only the first run pays: fresh memory, cold caches. It would be taken for the cost of
    // every run, and one repetition for a whole sample.
    (*sample)(1);
    for (;;) {
      const auto start = Clock::now();
      (*sample)(repetitions);
      sample_s = seconds_since(start);
      if (sample_s >= wanted_s || repetitions > (std::uint64_t{1} << 32)) return;
      const double growth = wanted_s / std::max(sample_s, wanted_s / 16) * 1.2;
      repetitions = static_cast<std::uint64_t>(std::ceil(static_cast<double>(repetitions) * growth));
    }
  }
  void take(unsigned threads) {
    if (threads > 1) std::this_thread::sleep_for(settle_time);
    if (repetitions > 1) (*sample)(1);
    values.push_back((*sample)(repetitions));
  }
};

}  // namespace

Sample timed(Work work) {
  return [work = std::move(work)](std::uint64_t repetitions) {
    const auto start = Clock::now();
    work(repetitions);
    return seconds_since(start) * 1e9 / static_cast<double>(repetitions);
  };
}

Quartiles quartiles(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto at = [&samples](double part) {
    const double place = part * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    const double fraction = place - static_cast<double>(below);
    return samples[below] * (1 - fraction) + samples[above] * fraction;
  };
  return {at(0.5), at(0.25), at(0.75)};
}

CaseResult measure(const CaseEntry& entry, const Case& measured, double time_min_s) {
  std::vector<Lane> lanes{Lane{&measured.ours}};
  for (const Contender& peer : measured.peers) lanes.push_back(Lane{&peer.sample});

  const double sample_s = std::clamp(time_min_s / samples_wanted, sample_min_s, sample_max_s);
  double round_s = 0;
  for (Lane& lane : lanes) {
    lane.calibrate(sample_s);
    round_s += lane.sample_s;
  }
  const double rounds_wanted = time_min_s * static_cast<double>(lanes.size()) / round_s;
  const auto rounds = static_cast<std::size_t>(
      std::clamp(rounds_wanted, static_cast<double>(rounds_min), static_cast<double>(rounds_max)));
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < lanes.size(); ++turn) {
      lanes[(round + turn) % lanes.size()].take(entry.threads);
    }
  }

  CaseResult result{entry.name, measured.shape, entry.unit, entry.better, entry.threads, {},
                    {},         measured.absent};
  result.ours = quartiles(lanes[0].values);
  for (std::size_t peer = 0; peer < measured.peers.size(); ++peer) {
    const Quartiles cost = quartiles(lanes[peer + 1].values);
    const double ratio =
        entry.better == Better::lower ? cost.median / result.ours.median : result.ours.median / cost.median;
    result.peers.push_back({measured.peers[peer].name, cost, ratio});
  }
  return result;
}

}  // namespace tenure::bench
