// SPDX-License-Identifier: Apache-2.0
// support_memo: what an engine has said that it computes, so that a small operation need not ask again.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tenure/layout/dtype.hpp"

namespace tenure::inline TENURE_BUILD {

// Remembers some of the questions that were answered with yes; one that takes the place of another makes that
// one be asked again. Any thread may use it.
class SupportMemo {
 public:
  // A family, a function and element types as one number; 0 where they are too many to be remembered.
  static std::uint64_t question(std::uint32_t code, std::uint32_t function,
                                std::span<const DType> dtypes) noexcept {
    constexpr std::size_t dtypes_max = 6;
    if (code >= 1u << 8 || function >= 1u << 16 || dtypes.size() > dtypes_max) return 0;
    std::uint64_t types = 1;  // so that none are not the same as some of the first type
    for (const DType dtype : dtypes) {
      const tenure_dtype known = dtype.abi();  // of a power of two bits, 128 at most
      types = types << 6 | std::uint64_t{known.code} << 3 |
              static_cast<unsigned>(std::countr_zero(unsigned{known.bits}));
    }
    return types << 24 | function << 8 | code;
  }

  bool knows(std::uint64_t question) const noexcept {
    return question != 0 && places_[place_of(question)].load(std::memory_order_relaxed) == question;
  }
  void learn(std::uint64_t question) noexcept {
    if (question != 0) places_[place_of(question)].store(question, std::memory_order_relaxed);
  }

 private:
  static_assert(TENURE_DTYPE_BOOL < 8);
  static constexpr int place_bits = 6;

  // The high bits of a product with an odd number depend on all bits of the question.
  static std::size_t place_of(std::uint64_t question) noexcept {
    return static_cast<std::size_t>(question * 0x9e3779b97f4a7c15u >> (64 - place_bits));
  }

  std::array<std::atomic<std::uint64_t>, std::size_t{1} << place_bits> places_{};
};

}  // namespace tenure::inline TENURE_BUILD
