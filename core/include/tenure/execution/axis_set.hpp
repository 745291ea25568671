// SPDX-License-Identifier: Apache-2.0
// axis_set: which axes an operation runs over.
#pragma once

#include <boost/container/small_vector.hpp>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// All axes, one, or those listed; a negative axis counts from the end. The default, which `{}` is too, are
// all axes. A list made at run time is taken as it is: without an entry it is no axis, as AxisSet::none().
class AxisSet {
 public:
  AxisSet() noexcept = default;
  template <std::integral Axis>
  requires(!std::same_as<Axis, bool>) AxisSet(Axis axis) : AxisSet({static_cast<std::int64_t>(axis)}) {}
  AxisSet(std::initializer_list<std::int64_t> axes) : is_all_(false), axes_(axes.begin(), axes.end()) {}
  explicit AxisSet(std::span<const std::int64_t> axes) : is_all_(false), axes_(axes.begin(), axes.end()) {}
  static AxisSet none() {
    AxisSet set;
    set.is_all_ = false;
    return set;
  }

  // Bit i: axis i of a tensor of that rank belongs to the set. Throws AxisOutOfBounds, DuplicateAxis naming
  // `operation`.
  TENURE_API std::uint64_t mask(const char* operation, std::int64_t rank) const;

 private:
  bool is_all_ = true;
  boost::container::small_vector<std::int64_t, 6> axes_;
};

}  // namespace tenure::inline TENURE_BUILD
