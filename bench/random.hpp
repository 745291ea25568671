// SPDX-License-Identifier: Apache-2.0
// random: shapes and values that are the same for the same seed.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>

namespace tenure::bench {

// `topic` keeps the draws of one suite apart from how much another one draws.
class Random {
 public:
  Random(std::uint64_t seed, std::string_view topic) : engine_(seed) {
    for (const char letter : topic) engine_.seed(engine_() ^ static_cast<unsigned char>(letter));
  }

  // In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  // In [low, high), of 2^-20 steps, so that sums of few of them are exact in f64.
  double value(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 44) * 0x1p-20;
  }
  template <class T>
  void fill(std::span<T> values, double low, double high) {
    for (T& element : values) element = static_cast<T>(value(low, high));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tenure::bench
