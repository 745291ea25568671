// SPDX-License-Identifier: Apache-2.0
// element: values of all dtypes as numbers wide enough to hold each exactly, for comparisons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

#include "tenure/abi/dtype.hpp"

namespace cpu_test {

// An index into tenure::abi::dtype_table.
using Dtype = std::size_t;

inline constexpr Dtype dtype_count = tenure::abi::dtype_table.size();

// Throws for a name that is none.
Dtype dtype_named(std::string_view name);
inline tenure_dtype to_abi(Dtype dtype) { return tenure::abi::dtype_table[dtype].dtype; }
inline std::size_t bytes_of(Dtype dtype) { return tenure::abi::dtype_table[dtype].bytes; }
inline std::string_view name_of(Dtype dtype) { return tenure::abi::dtype_table[dtype].name; }

// Integers of 64 bits and all floats are exact in 64 bits of mantissa.
struct Number {
  long double re = 0;
  long double im = 0;
};
static_assert(__LDBL_MANT_DIG__ >= 64);

Number read_number(Dtype dtype, const std::byte* element);
// Rounds to nearest even; integers must be in range.
void write_number(Dtype dtype, const Number& number, std::byte* element);

// Bits of the significand and the smallest normal exponent of a floating dtype's parts.
struct Precision {
  int mantissa_bits;
  int exponent_min;
  int exponent_max;
};
Precision precision_of(Dtype dtype);

// The number of a format that is nearest to a value, ties to even, infinity where it overflows.
long double round_to(long double value, const Precision& precision);
// The distance between neighbours of a format near a value.
long double ulp_of(long double value, const Precision& precision);

// A value that a test is likely to learn from: small numbers mostly, now and then an edge of the range, an
// infinity or NaN.
void random_element(std::mt19937_64& random, Dtype dtype, std::byte* element);

// Equal, or both NaN in the same parts. Zeros of different signs are equal.
bool same_number(const Number& a, const Number& b);

}  // namespace cpu_test
