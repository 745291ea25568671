// SPDX-License-Identifier: Apache-2.0
// draw: seeded choices, shapes, elements and readings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "reading.hpp"

namespace tenure::test {

// What elements are drawn from.
enum class Values {
  any,       // also zeros, infinities, NaN; of integers all bit patterns
  finite,    // around zero; of integers of one digit
  nonzero,   // magnitudes from 1/4 to 4; of integers from 1 to 9
  positive,  // from 1/4 to 4; of integers from 0 to 6; the real part of complex numbers
};

// An owner and a reading of some of its elements, maybe strided, reversed, permuted or broadcast.
struct Sample {
  std::shared_ptr<Tensor> owner;
  std::byte* bytes;  // of the owner
  TensorView view;
};
// An owner and a reading that is written.
struct Target {
  std::shared_ptr<Tensor> owner;
  Reading reading;

  // Must end before the owner is read.
  TensorViewMut view() const { return reading.of(owner->as_view_mut()); }
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_in(std::int64_t count) { return between(1, count) == 1; }
  Extents extents(std::int64_t rank_min, std::int64_t rank_max, std::int64_t extent_min = 0);
  std::vector<std::int64_t> order(std::int64_t rank);

  Tensor tensor(DType dtype, const Extents& extents, Values values);
  // A compact owner or one of the readings that a view can be.
  Sample sample(DType dtype, const Extents& extents, Values values, bool may_broadcast = true);
  Target target(DType dtype, const Extents& extents);
  // A reading with some extents of 1.
  Sample broadcasting(DType dtype, Extents extents, Values values);

  template <class T>
  T element(Values values);

 private:
  Reading reading(const Extents& extents, bool may_broadcast);
  double number(Values values);
  std::int64_t integer(Values values, bool is_signed);

  std::mt19937_64 random_;
};

}  // namespace tenure::test
