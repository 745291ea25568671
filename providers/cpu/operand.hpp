// SPDX-License-Identifier: Apache-2.0
// operand: a typed strided box in host memory, as the provider's operations see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernel_set.hpp"
#include "tenure/abi/dtype.hpp"
#include "tenure/abi/equal_numbers.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

struct Operand {
  std::byte* address = nullptr;  // of index (0, 0, ...)
  std::span<const std::int64_t> extents;
  std::span<const std::int64_t> strides;  // in elements
  std::size_t dtype = dtype_count;        // index into abi::dtype_table

  std::int64_t element_bytes() const noexcept { return abi::dtype_table[dtype].bytes; }
  std::string_view dtype_name() const noexcept { return abi::dtype_table[dtype].name; }
  tenure_dtype abi_dtype() const noexcept { return abi::dtype_table[dtype].dtype; }
};

// Of what to_operand does not take as it is: completes it with the address of its storage, or throws.
[[gnu::cold]] Operand complete_operand(const tenure_operand& operand, Operand result);

// Throws INVALID_ARGUMENT for an operand without memory or arrays or with a rank above 64, UNIMPLEMENTED for
// an unknown dtype. A storage is one of this provider's.
inline Operand to_operand(const tenure_operand& operand) {
  const Operand result{.address = static_cast<std::byte*>(operand.address),
                       .extents = {operand.extents, operand.rank},
                       .strides = {operand.strides, operand.rank},
                       .dtype = dtype_index(operand.dtype)};
  const bool has_axes = operand.extents != nullptr && operand.strides != nullptr;
  if (result.address != nullptr && has_axes && operand.rank <= TENURE_RANK_MAX && result.dtype != dtype_count)
    return result;
  return complete_operand(operand, result);
}

inline std::int64_t element_count(std::span<const std::int64_t> extents) noexcept {
  // Unsigned, because a product that ends in zero may pass through numbers that do not fit.
  std::uint64_t count = 1;
  for (const std::int64_t extent : extents) count *= static_cast<std::uint64_t>(extent);
  return static_cast<std::int64_t>(count);
}

[[noreturn]] void throw_unequal_extents(const Operand& left, const Operand& right);

// Throws INVALID_ARGUMENT unless both have the same extents.
inline void require_equal_extents(const Operand& left, const Operand& right) {
  if (!abi::have_equal_numbers(left.extents, right.extents)) throw_unequal_extents(left, right);
}

// Throws UNIMPLEMENTED: `what` is not computed for these dtypes.
[[noreturn]] void refuse_dtypes(std::string_view what, std::span<const Operand> operands);

}  // namespace tenure::cpu
