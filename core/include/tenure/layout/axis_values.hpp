// SPDX-License-Identifier: Apache-2.0
// axis_values: what a function takes where a user lists one number for each axis.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// A borrowed list of extents, strides, axes or indices: a braced list or any container that has its
// std::int64_t in one run. For parameters only: it does not outlive the call that it is an argument of.
class AxisValues {
 public:
  AxisValues(std::initializer_list<std::int64_t> values) noexcept : values_(values.begin(), values.size()) {}
  // Asks for data() and size() only, since the vectors of Boost 1.74 are no contiguous ranges.
  template <class Container>
  requires requires(const Container& values) {
    { std::data(values) } -> std::convertible_to<const std::int64_t*>;
    { std::size(values) } -> std::convertible_to<std::size_t>;
  }
  AxisValues(const Container& values) noexcept : values_(std::data(values), std::size(values)) {}

  std::int64_t count() const noexcept { return static_cast<std::int64_t>(values_.size()); }
  std::int64_t operator[](std::int64_t axis) const noexcept { return values_.data()[axis]; }
  const std::int64_t* data() const noexcept { return values_.data(); }
  const std::int64_t* begin() const noexcept { return data(); }
  const std::int64_t* end() const noexcept { return data() + values_.size(); }
  std::span<const std::int64_t> span() const noexcept { return values_; }

 private:
  std::span<const std::int64_t> values_;
};

}  // namespace tenure::inline TENURE_BUILD
