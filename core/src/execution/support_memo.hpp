// SPDX-License-Identifier: Apache-2.0
// support_memo: what an engine has said that it computes, so that a small operation need not ask again.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tenure/abi/operation_table.hpp"
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

  // An elementwise function, of which the type of its last argument says all others.
  bool knows_function(std::uint32_t function, DType dtype) const noexcept {
    return (functions_[function].load(std::memory_order_relaxed) & bit_of(dtype)) != 0;
  }
  void learn_function(std::uint32_t function, DType dtype) noexcept {
    functions_[function].fetch_or(bit_of(dtype), std::memory_order_relaxed);
  }

  // A family without functions, of which all operands have one type.
  bool knows_family(std::uint32_t code, DType dtype) const noexcept {
    return (families_[code].load(std::memory_order_relaxed) & bit_of(dtype)) != 0;
  }
  void learn_family(std::uint32_t code, DType dtype) noexcept {
    families_[code].fetch_or(bit_of(dtype), std::memory_order_relaxed);
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

  static std::uint64_t bit_of(DType dtype) noexcept {
    const tenure_dtype known = dtype.abi();
    return std::uint64_t{1} << (known.code << 3 | std::countr_zero(unsigned{known.bits}));
  }

  std::array<std::atomic<std::uint64_t>, std::size_t{1} << place_bits> places_{};
  std::array<std::atomic<std::uint64_t>, abi::function_places.size()> functions_{};  // by number
  std::array<std::atomic<std::uint64_t>, TENURE_OP_LINALG + 1> families_{};
};

}  // namespace tenure::inline TENURE_BUILD
