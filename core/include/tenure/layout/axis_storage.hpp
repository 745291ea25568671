// SPDX-License-Identifier: Apache-2.0
// axis_storage: numbers of axes: the extents of an owner, the extents and strides inside a Layout.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// `array_count` arrays of `rank` numbers: extents, or extents and strides. Up to rank 6 they share one inline
// array; above, the same bytes hold a vector. A moved-from storage has rank 0.
template <std::int64_t array_count>
class AxisStorage {
 public:
  static constexpr std::int64_t rank_inline = 6;

  AxisStorage() noexcept : rank_(0) {}
  // The values are unspecified until they are written.
  explicit AxisStorage(std::int64_t rank) : rank_(rank) {
    if (!is_inline()) make_vector();
  }
  AxisStorage(const AxisStorage& other) : rank_(other.rank_) {
    if (is_inline()) {
      std::memcpy(inline_, other.inline_, sizeof inline_);
    } else {
      copy_vector(other);
    }
  }
  AxisStorage(AxisStorage&& other) noexcept : rank_(other.rank_) { take(other); }
  AxisStorage& operator=(const AxisStorage& other) {
    if (this != &other) *this = AxisStorage(other);
    return *this;
  }
  AxisStorage& operator=(AxisStorage&& other) noexcept {
    if (this != &other) {
      release();
      rank_ = other.rank_;
      take(other);
    }
    return *this;
  }
  ~AxisStorage() { release(); }

  std::int64_t rank() const noexcept { return rank_; }
  std::int64_t* extents() noexcept { return array(0); }
  const std::int64_t* extents() const noexcept { return array(0); }
  // The same where the caller knows the rank, and with a constant whether it is inline.
  const std::int64_t* extents_of_rank(std::int64_t rank) const noexcept {
    return rank <= rank_inline ? inline_ : vector_.data();
  }
  std::int64_t* strides() noexcept requires(array_count > 1) { return array(1); }
  const std::int64_t* strides() const noexcept requires(array_count > 1) { return array(1); }

 private:
  // All of its numbers are on the heap, since no rank that is inline comes here.
  using Vector = boost::container::small_vector<std::int64_t, 0>;

  bool is_inline() const noexcept { return rank_ <= rank_inline; }
  std::int64_t* array(std::int64_t place) noexcept {
    return is_inline() ? inline_ + place * rank_inline : vector_.data() + place * rank_;
  }
  const std::int64_t* array(std::int64_t place) const noexcept {
    return is_inline() ? inline_ + place * rank_inline : vector_.data() + place * rank_;
  }
  void take(AxisStorage& other) noexcept {
    if (is_inline()) {
      std::memcpy(inline_, other.inline_, sizeof inline_);
    } else {
      take_vector(other);
    }
    other.rank_ = 0;
  }
  void release() noexcept {
    if (!is_inline()) end_vector();
  }

  // Out of the way of what is inline.
  [[gnu::cold]] TENURE_API void make_vector();
  [[gnu::cold]] TENURE_API void copy_vector(const AxisStorage& other);
  [[gnu::cold]] TENURE_API void take_vector(AxisStorage& other) noexcept;
  [[gnu::cold]] TENURE_API void end_vector() noexcept;

  union {
    std::int64_t inline_[static_cast<std::size_t>(array_count * rank_inline)];
    Vector vector_;
  };
  std::int64_t rank_;
};

}  // namespace tenure::inline TENURE_BUILD
