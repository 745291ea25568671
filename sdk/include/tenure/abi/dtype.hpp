// SPDX-License-Identifier: Apache-2.0
// dtype: sizes, names and classes of element types, for both sides of the boundary.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
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
  static_assert(sizeof(tenure_dtype) == sizeof(std::uint32_t));
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// By code and by the logarithm of the bits; the size of dtype_table where there is no such dtype.
inline constexpr auto dtype_places = [] {
  std::array<std::array<std::uint8_t, 8>, TENURE_DTYPE_BOOL + 1> places{};
  for (auto& row : places) row.fill(static_cast<std::uint8_t>(dtype_table.size()));
  for (std::size_t place = 0; place < dtype_table.size(); ++place) {
    const tenure_dtype dtype = dtype_table[place].dtype;
    places[dtype.code][static_cast<std::size_t>(std::countr_zero(dtype.bits))] =
        static_cast<std::uint8_t>(place);
  }
  return places;
}();

// The place of a dtype in dtype_table, or the size of that when Tenure does not know it.
constexpr std::size_t dtype_place(tenure_dtype dtype) noexcept {
  // Not by counting bits, which is a call where the processor's own instruction may not be used.
  const bool has_one_bit = dtype.bits != 0 && (dtype.bits & (dtype.bits - 1)) == 0;
  if (dtype.code >= dtype_places.size() || !has_one_bit || dtype.lanes != 1) return dtype_table.size();
  return dtype_places[dtype.code][static_cast<std::size_t>(std::countr_zero(dtype.bits))];
}

// The row of a dtype, or null when Tenure does not know it.
constexpr const DtypeRow* find_dtype(tenure_dtype dtype) noexcept {
  const std::size_t place = dtype_place(dtype);
  return place < dtype_table.size() ? &dtype_table[place] : nullptr;
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
