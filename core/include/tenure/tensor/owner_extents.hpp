// SPDX-License-Identifier: Apache-2.0
// owner_extents: the extents of an owner, which has no strides to keep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "tenure/config.h"
#include "tenure/layout/axis_values.hpp"

namespace tenure::inline TENURE_BUILD {

// Up to rank 6 they lie inside; above, the same bytes hold the address of one heap block. Moving copies a
// few words, whatever the rank. A moved-from list has rank 0.
class OwnerExtents {
 public:
  static constexpr std::int64_t rank_inline = 6;

  explicit OwnerExtents(AxisValues extents) : rank_(extents.count()) {
    if (!is_inline()) heap_ = new std::int64_t[static_cast<std::size_t>(rank_)];
    std::copy_n(extents.data(), rank_, values());
  }
  OwnerExtents(OwnerExtents&& other) noexcept { take(other); }
  OwnerExtents& operator=(OwnerExtents&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~OwnerExtents() { release(); }

  std::span<const std::int64_t> span() const noexcept {
    return {is_inline() ? inline_ : heap_, static_cast<std::size_t>(rank_)};
  }

 private:
  bool is_inline() const noexcept { return rank_ <= rank_inline; }
  std::int64_t* values() noexcept { return is_inline() ? inline_ : heap_; }
  void take(OwnerExtents& other) noexcept {
    rank_ = std::exchange(other.rank_, 0);
    std::memcpy(inline_, other.inline_, sizeof inline_);
  }
  void release() noexcept {
    if (!is_inline()) delete[] heap_;
  }

  union {
    std::int64_t inline_[rank_inline];
    std::int64_t* heap_;
  };
  std::int64_t rank_;
};

}  // namespace tenure::inline TENURE_BUILD
