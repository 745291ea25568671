// SPDX-License-Identifier: Apache-2.0
// dtype: sizes, names and classes of element types, for both sides of the boundary.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tenure/provider_engine.h"

namespace tenure::abi {

struct DtypeRow {
  tenure_dtype dtype;
  std::uint32_t bytes;
  std::uint32_t alignment_bytes;
  std::string_view name;
};

// Every element type that Tenure knows; nothing else is accepted anywhere. The names are DLPack's
// words: complex128 has two f64 parts.
inline constexpr std::array<DtypeRow, 15> dtype_table{{
    {{TENURE_DTYPE_BOOL, 8, 1}, 1, 1, "bool"},
    {{TENURE_DTYPE_INT, 8, 1}, 1, 1, "i8"},
    {{TENURE_DTYPE_INT, 16, 1}, 2, 2, "i16"},
    {{TENURE_DTYPE_INT, 32, 1}, 4, 4, "i32"},
    {{TENURE_DTYPE_INT, 64, 1}, 8, 8, "i64"},
    {{TENURE_DTYPE_UINT, 8, 1}, 1, 1, "u8"},
    {{TENURE_DTYPE_UINT, 16, 1}, 2, 2, "u16"},
    {{TENURE_DTYPE_UINT, 32, 1}, 4, 4, "u32"},
    {{TENURE_DTYPE_UINT, 64, 1}, 8, 8, "u64"},
    {{TENURE_DTYPE_FLOAT, 16, 1}, 2, 2, "f16"},
    {{TENURE_DTYPE_BFLOAT, 16, 1}, 2, 2, "bf16"},
    {{TENURE_DTYPE_FLOAT, 32, 1}, 4, 4, "f32"},
    {{TENURE_DTYPE_FLOAT, 64, 1}, 8, 8, "f64"},
    {{TENURE_DTYPE_COMPLEX, 64, 1}, 8, 4, "complex64"},
    {{TENURE_DTYPE_COMPLEX, 128, 1}, 16, 8, "complex128"},
}};

constexpr bool same_dtype(tenure_dtype a, tenure_dtype b) noexcept {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// The row of a dtype, or null when Tenure does not know it.
constexpr const DtypeRow* find_dtype(tenure_dtype dtype) noexcept {
  for (const DtypeRow& row : dtype_table) {
    if (same_dtype(row.dtype, dtype)) return &row;
  }
  return nullptr;
}

constexpr bool is_boolean(tenure_dtype dtype) noexcept { return dtype.code == TENURE_DTYPE_BOOL; }
constexpr bool is_complex(tenure_dtype dtype) noexcept { return dtype.code == TENURE_DTYPE_COMPLEX; }
constexpr bool is_floating(tenure_dtype dtype) noexcept {
  return dtype.code == TENURE_DTYPE_FLOAT || dtype.code == TENURE_DTYPE_BFLOAT;
}
constexpr bool is_integer(tenure_dtype dtype) noexcept {
  return dtype.code == TENURE_DTYPE_INT || dtype.code == TENURE_DTYPE_UINT;
}

}  // namespace tenure::abi
