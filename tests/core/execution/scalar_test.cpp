// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/scalar.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "tenure/base/validation_error.hpp"

namespace {

using tenure::DType;
using tenure::Scalar;

template <class T>
T read(const tenure_scalar& scalar) {
  T value;
  std::memcpy(&value, scalar.value, sizeof(T));
  return value;
}

bool is_refused(Scalar scalar, DType dtype) {
  try {
    (void)scalar.to("test", dtype);
    return false;
  } catch (const tenure::ValidationError& error) {
    return error.get_if<tenure::InvalidArgument>() != nullptr;
  }
}

}  // namespace

TEST_CASE("Scalar: an integer is taken by every type that represents it and refused by the others") {
  CHECK(read<std::int8_t>(Scalar(-128).to("test", tenure::i8)) == -128);
  CHECK(read<std::uint64_t>(Scalar(std::uint64_t{1} << 63).to("test", tenure::u64)) == std::uint64_t{1}
                                                                                           << 63);
  CHECK(read<double>(Scalar(3).to("test", tenure::f64)) == 3.0);
  CHECK(read<std::complex<float>>(Scalar(3).to("test", tenure::complex64)) == std::complex<float>(3));

  CHECK(is_refused(300, tenure::u8));
  CHECK(is_refused(-1, tenure::u64));
  CHECK(is_refused(std::int64_t{1} << 53 | 1, tenure::f64));
  CHECK(is_refused(2049, tenure::f16));
  CHECK(is_refused(70000, tenure::f16));
  CHECK(is_refused(1, tenure::boolean));
}

TEST_CASE("Scalar: a fraction is rounded once for floating types and refused by integers") {
  CHECK(read<float>(Scalar(0.1).to("test", tenure::f32)) == 0.1F);
  CHECK(read<double>(Scalar(0.1).to("test", tenure::f64)) == 0.1);
  CHECK(read<std::int32_t>(Scalar(4.0).to("test", tenure::i32)) == 4);

  CHECK(is_refused(0.5, tenure::i32));
  CHECK(is_refused(1e300, tenure::f32));
  CHECK(is_refused(1e300, tenure::i64));
  CHECK(is_refused(std::numeric_limits<double>::quiet_NaN(), tenure::i64));
}

TEST_CASE("Scalar: infinities stay infinite and a NaN stays one") {
  CHECK(read<float>(Scalar(-std::numeric_limits<double>::infinity()).to("test", tenure::f32)) ==
        -std::numeric_limits<float>::infinity());
  const float nan = read<float>(Scalar(std::numeric_limits<double>::quiet_NaN()).to("test", tenure::f32));
  CHECK(nan != nan);
}

TEST_CASE("Scalar: a complex number is taken by real types only without an imaginary part") {
  CHECK(read<double>(Scalar(std::complex<double>(2, 0)).to("test", tenure::f64)) == 2);
  CHECK(is_refused(std::complex<double>(2, 1), tenure::f64));
  CHECK(
      read<std::complex<double>>(Scalar(std::complex<double>(2, 1)).to("test", tenure::complex128)).imag() ==
      1);
}

TEST_CASE("Scalar: only a bool is a bool") {
  CHECK(read<bool>(Scalar(true).to("test", tenure::boolean)));
  CHECK(is_refused(true, tenure::f64));
  CHECK(is_refused(true, tenure::i32));
}

TEST_CASE("Scalar: the error names the type and the value") {
  try {
    (void)Scalar(0.5).to("Engine::add", tenure::i32);
    FAIL("should have thrown");
  } catch (const tenure::ValidationError& error) {
    const std::string what = error.what();
    CHECK(what.find("Engine::add") != what.npos);
    CHECK(what.find("i32") != what.npos);
    CHECK(what.find("0.5") != what.npos);
  }
}
