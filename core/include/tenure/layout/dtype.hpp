// SPDX-License-Identifier: Apache-2.0
// dtype: the type of a tensor's elements.
#pragma once

#include <bit>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tenure/abi/dtype.hpp"
#include "tenure/layout/bfloat16.hpp"
#include "tenure/layout/float16.hpp"

namespace tenure::inline TENURE_BUILD {

// A value of DLPack's code, bits and lanes. Only the fifteen constants below exist: a DType that was made
// from anything else is an error at construction.
class DType {
 public:
  // Throws ValidationError (UnsupportedDType) for a dtype that Tenure does not know.
  TENURE_API explicit DType(tenure_dtype dtype);

  constexpr tenure_dtype abi() const noexcept { return std::bit_cast<tenure_dtype>(number_); }
  constexpr std::size_t bytes() const noexcept { return abi().bits / 8u; }
  // That of the C++ type; a complex number is aligned like its parts.
  constexpr std::size_t alignment_bytes() const noexcept { return is_complex() ? bytes() / 2 : bytes(); }
  // DLPack's word, such as "f64" or "complex128".
  constexpr std::string_view name() const noexcept { return abi::find_dtype(abi())->name; }

  constexpr bool is_boolean() const noexcept { return abi::is_boolean(abi()); }
  constexpr bool is_integer() const noexcept { return abi::is_integer(abi()); }
  constexpr bool is_floating() const noexcept { return abi::is_floating(abi()); }
  constexpr bool is_complex() const noexcept { return abi::is_complex(abi()); }

  friend constexpr bool operator==(DType a, DType b) noexcept { return a.number_ == b.number_; }

  // A dtype whose row is in abi::dtype_table, checked at compile time.
  static consteval DType known(std::uint8_t code, std::uint8_t bits) {
    const tenure_dtype dtype{code, bits, 1};
    for (const abi::DtypeRow& row : abi::dtype_table) {
      if (abi::same_dtype(row.dtype, dtype)) return DType(dtype, Known{});
    }
    throw "not in abi::dtype_table";
  }

 private:
  struct Known {};
  constexpr DType(tenure_dtype dtype, Known) noexcept : number_(std::bit_cast<std::uint32_t>(dtype)) {}
  std::uint32_t number_;  // code, bits and lanes, which so are read and compared in one
};

inline constexpr DType boolean = DType::known(TENURE_DTYPE_BOOL, 8);  // one byte, 0 or 1
inline constexpr DType i8 = DType::known(TENURE_DTYPE_INT, 8);
inline constexpr DType i16 = DType::known(TENURE_DTYPE_INT, 16);
inline constexpr DType i32 = DType::known(TENURE_DTYPE_INT, 32);
inline constexpr DType i64 = DType::known(TENURE_DTYPE_INT, 64);
inline constexpr DType u8 = DType::known(TENURE_DTYPE_UINT, 8);
inline constexpr DType u16 = DType::known(TENURE_DTYPE_UINT, 16);
inline constexpr DType u32 = DType::known(TENURE_DTYPE_UINT, 32);
inline constexpr DType u64 = DType::known(TENURE_DTYPE_UINT, 64);
inline constexpr DType f16 = DType::known(TENURE_DTYPE_FLOAT, 16);
inline constexpr DType bf16 = DType::known(TENURE_DTYPE_BFLOAT, 16);
inline constexpr DType f32 = DType::known(TENURE_DTYPE_FLOAT, 32);
inline constexpr DType f64 = DType::known(TENURE_DTYPE_FLOAT, 64);
inline constexpr DType complex64 = DType::known(TENURE_DTYPE_COMPLEX, 64);    // two f32 parts
inline constexpr DType complex128 = DType::known(TENURE_DTYPE_COMPLEX, 128);  // two f64 parts

namespace detail {

template <class T>
inline constexpr bool is_character =
    std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
    std::same_as<T, char16_t> || std::same_as<T, char32_t>;

template <class T>
inline constexpr bool is_element_integer =
    std::integral<T> && !std::same_as<T, bool> && !is_character<T> && sizeof(T) <= 8;

template <class T>
inline constexpr bool is_other_element =
    std::same_as<T, bool> || std::same_as<T, float16> || std::same_as<T, bfloat16> ||
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;

}  // namespace detail

// The C++ types that a tensor can hold: bool, integers of 8 to 64 bits (not characters), float16, bfloat16,
// float, double, std::complex<float> and std::complex<double>.
template <class T>
concept ElementType = detail::is_element_integer<T> || detail::is_other_element<T>;

// The dtype of a C++ type; anything but an ElementType is refused at compile time.
template <class T>
constexpr DType dtype_of() noexcept {
  static_assert(ElementType<T>,
                "A tensor holds bool, an integer of 8 to 64 bits (not a character type), tenure::float16, "
                "tenure::bfloat16, float, double, std::complex<float> or std::complex<double>; this type is "
                "none of them.");
  if constexpr (std::same_as<T, bool>) {
    return boolean;
  } else if constexpr (std::same_as<T, float16>) {
    return f16;
  } else if constexpr (std::same_as<T, bfloat16>) {
    return bf16;
  } else if constexpr (std::same_as<T, float>) {
    return f32;
  } else if constexpr (std::same_as<T, std::complex<float>>) {
    return complex64;
  } else if constexpr (std::same_as<T, std::complex<double>>) {
    return complex128;
  } else if constexpr (std::signed_integral<T>) {
    return sizeof(T) == 1 ? i8 : sizeof(T) == 2 ? i16 : sizeof(T) == 4 ? i32 : i64;
  } else if constexpr (std::unsigned_integral<T>) {
    return sizeof(T) == 1 ? u8 : sizeof(T) == 2 ? u16 : sizeof(T) == 4 ? u32 : u64;
  } else {
    return f64;
  }
}

}  // namespace tenure::inline TENURE_BUILD
