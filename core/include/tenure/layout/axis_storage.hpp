// SPDX-License-Identifier: Apache-2.0
// axis_storage: the extents and strides inside a Layout.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Two arrays of `rank` numbers. Up to rank 6 they share one inline array; above, the same bytes hold the
// address of one heap block. A moved-from storage has rank 0.
class AxisStorage {
 public:
  static constexpr std::int64_t rank_inline = 6;

  AxisStorage() noexcept : rank_(0) {}
  // The values are unspecified until they are written.
  explicit AxisStorage(std::int64_t rank) : rank_(rank) {
    if (!is_inline()) heap_ = new std::int64_t[static_cast<std::size_t>(2 * rank)];
  }
  AxisStorage(const AxisStorage& other) : AxisStorage(other.rank_) {
    if (is_inline()) {
      std::memcpy(inline_, other.inline_, sizeof inline_);
    } else {
      std::memcpy(heap_, other.heap_, static_cast<std::size_t>(2 * rank_) * sizeof(std::int64_t));
    }
  }
  AxisStorage(AxisStorage&& other) noexcept : rank_(std::exchange(other.rank_, 0)) {
    std::memcpy(inline_, other.inline_, sizeof inline_);
  }
  AxisStorage& operator=(const AxisStorage& other) {
    if (this != &other) *this = AxisStorage(other);
    return *this;
  }
  AxisStorage& operator=(AxisStorage&& other) noexcept {
    if (this != &other) {
      release();
      rank_ = std::exchange(other.rank_, 0);
      std::memcpy(inline_, other.inline_, sizeof inline_);
    }
    return *this;
  }
  ~AxisStorage() { release(); }

  std::int64_t rank() const noexcept { return rank_; }
  std::int64_t* extents() noexcept { return is_inline() ? inline_ : heap_; }
  const std::int64_t* extents() const noexcept { return is_inline() ? inline_ : heap_; }
  std::int64_t* strides() noexcept { return is_inline() ? inline_ + rank_inline : heap_ + rank_; }
  const std::int64_t* strides() const noexcept { return is_inline() ? inline_ + rank_inline : heap_ + rank_; }

 private:
  bool is_inline() const noexcept { return rank_ <= rank_inline; }
  void release() noexcept {
    if (!is_inline()) delete[] heap_;
  }

  union {
    std::int64_t inline_[2 * rank_inline];
    std::int64_t* heap_;
  };
  std::int64_t rank_;
};

}  // namespace tenure::inline TENURE_BUILD
