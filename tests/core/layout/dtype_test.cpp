// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/dtype.hpp"

#include <doctest/doctest.h>

#include <type_traits>

#include "tenure/base/validation_error.hpp"

using tenure::DType;
using tenure::dtype_of;

TEST_CASE("DType: size, alignment and name are those of the table for every known dtype") {
  for (const tenure::abi::DtypeRow& row : tenure::abi::dtype_table) {
    const DType dtype(row.dtype);
    CAPTURE(row.name);
    CHECK(dtype.bytes() == row.bytes);
    CHECK(dtype.alignment_bytes() == row.alignment_bytes);
    CHECK(dtype.name() == row.name);
    CHECK(tenure::abi::same_dtype(dtype.abi(), row.dtype));
  }
}

TEST_CASE("DType: an unknown dtype is refused and named by its numbers") {
  try {
    DType dtype(tenure_dtype{TENURE_DTYPE_FLOAT, 8, 1});
    FAIL("accepted " << dtype.name());
  } catch (const tenure::ValidationError& error) {
    REQUIRE(error.get_if<tenure::UnsupportedDType>() != nullptr);
    CHECK(error.get_if<tenure::UnsupportedDType>()->dtype == "(code 2, 8 bits, 1 lanes)");
  }
  CHECK_THROWS_AS(DType(tenure_dtype{TENURE_DTYPE_FLOAT, 32, 4}), tenure::ValidationError);
}

TEST_CASE("DType: two dtypes are equal when code and bits are") {
  CHECK(tenure::f64 == DType(tenure_dtype{TENURE_DTYPE_FLOAT, 64, 1}));
  CHECK(tenure::f16 != tenure::bf16);
  CHECK(tenure::u8 != tenure::boolean);
}

TEST_CASE("dtype_of: every C++ element type has its dtype, with its size and alignment") {
  const auto matches = []<class T>(DType expected, T) {
    return dtype_of<T>() == expected && expected.bytes() == sizeof(T) &&
           expected.alignment_bytes() == alignof(T);
  };
  CHECK(matches(tenure::boolean, true));
  CHECK(matches(tenure::i8, std::int8_t{}));
  CHECK(matches(tenure::i16, std::int16_t{}));
  CHECK(matches(tenure::i32, std::int32_t{}));
  CHECK(matches(tenure::i64, std::int64_t{}));
  CHECK(matches(tenure::i64, 0LL));
  CHECK(matches(tenure::u8, std::uint8_t{}));
  CHECK(matches(tenure::u16, std::uint16_t{}));
  CHECK(matches(tenure::u32, std::uint32_t{}));
  CHECK(matches(tenure::u64, std::uint64_t{}));
  CHECK(matches(tenure::u64, 0ULL));
  CHECK(matches(tenure::f16, tenure::float16{}));
  CHECK(matches(tenure::bf16, tenure::bfloat16{}));
  CHECK(matches(tenure::f32, 0.0f));
  CHECK(matches(tenure::f64, 0.0));
  CHECK(matches(tenure::complex64, std::complex<float>{}));
  CHECK(matches(tenure::complex128, std::complex<double>{}));
}

TEST_CASE("ElementType: characters, enumerations, pointers and long double are not element types") {
  enum class Enumeration {
  };
  static_assert(!tenure::ElementType<char>);
  static_assert(!tenure::ElementType<wchar_t>);
  static_assert(!tenure::ElementType<long double>);
  static_assert(!tenure::ElementType<Enumeration>);
  static_assert(!tenure::ElementType<double*>);
  static_assert(!tenure::ElementType<const double>);
  static_assert(tenure::ElementType<long>);
  static_assert(std::is_trivially_copyable_v<DType>);
}
