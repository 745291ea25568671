// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/scalar.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "layout/integer128.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// Writes the object representation of `value`.
template <class T>
void put(tenure_scalar& out, T value) noexcept {
  std::memcpy(out.value, &value, sizeof(value));
}

template <class Integer>
bool put_integer(tenure_scalar& out, Integer128 value) noexcept {
  if (value < std::numeric_limits<Integer>::min() || value > std::numeric_limits<Integer>::max())
    return false;
  put(out, static_cast<Integer>(value));
  return true;
}

bool put_integer(tenure_scalar& out, DType dtype, Integer128 value) noexcept {
  const bool is_signed = dtype.abi().code == TENURE_DTYPE_INT;
  switch (dtype.bytes()) {
    case 1:
      return is_signed ? put_integer<std::int8_t>(out, value) : put_integer<std::uint8_t>(out, value);
    case 2:
      return is_signed ? put_integer<std::int16_t>(out, value) : put_integer<std::uint16_t>(out, value);
    case 4:
      return is_signed ? put_integer<std::int32_t>(out, value) : put_integer<std::uint32_t>(out, value);
    default:
      return is_signed ? put_integer<std::int64_t>(out, value) : put_integer<std::uint64_t>(out, value);
  }
}

// The nearest number of the floating type, as a double.
double rounded(DType dtype, double value) noexcept {
  if (dtype == f64) return value;
  if (dtype == f32) return static_cast<float>(value);
  if (dtype == f16) return static_cast<float>(float16(value));
  return static_cast<float>(bfloat16(value));
}

// A finite number must stay finite.
bool put_real(tenure_scalar& out, DType dtype, double value) noexcept {
  const double nearest = rounded(dtype, value);
  if (std::isfinite(value) && !std::isfinite(nearest)) return false;
  if (dtype == f64) {
    put(out, value);
  } else if (dtype == f32) {
    put(out, static_cast<float>(value));
  } else if (dtype == f16) {
    put(out, float16(value));
  } else {
    put(out, bfloat16(value));
  }
  return true;
}

bool put_complex(tenure_scalar& out, DType dtype, std::complex<double> value) noexcept {
  if (dtype == complex128) {
    put(out, value);
    return true;
  }
  const std::complex<float> nearest(value);
  if (std::isfinite(value.real()) != std::isfinite(nearest.real())) return false;
  if (std::isfinite(value.imag()) != std::isfinite(nearest.imag())) return false;
  put(out, nearest);
  return true;
}

// Puts one alternative of a scalar into an element; false when the element type does not hold it.
struct Putter {
  tenure_scalar& out;
  DType dtype;

  bool operator()(bool value) const noexcept {
    if (!dtype.is_boolean()) return false;
    put(out, value);
    return true;
  }
  bool operator()(std::int64_t value) const noexcept {
    // Every floating type has these, so there is nothing to compare.
    if (!dtype.is_integer() && value >= -256 && value <= 256) return (*this)(static_cast<double>(value));
    return integer(value);
  }
  bool operator()(std::uint64_t value) const noexcept { return integer(value); }
  bool operator()(double value) const noexcept {
    if (dtype.is_floating()) return put_real(out, dtype, value);
    if (dtype.is_complex()) return put_complex(out, dtype, value);
    if (!dtype.is_integer() || std::trunc(value) != value || std::abs(value) > 0x1p64) return false;
    return put_integer(out, dtype, static_cast<Integer128>(value));
  }
  bool operator()(std::complex<double> value) const noexcept {
    if (dtype.is_complex()) return put_complex(out, dtype, value);
    return value.imag() == 0 && (*this)(value.real());
  }

 private:
  bool integer(Integer128 value) const noexcept {
    if (dtype.is_integer()) return put_integer(out, dtype, value);
    const double nearest = static_cast<double>(value);
    const DType real = dtype == complex64 ? f32 : dtype == complex128 ? f64 : dtype;
    if (dtype.is_boolean()) return false;
    const double held = rounded(real, nearest);
    // What is beyond the type's range became infinite, which is no integer to compare with.
    if (!std::isfinite(held) || static_cast<Integer128>(held) != value) return false;
    return (*this)(nearest);
  }
};

}  // namespace

tenure_scalar Scalar::to(const char* operation, DType dtype) const {
  tenure_scalar out{};
  out.dtype = dtype.abi();
  if (!std::visit(Putter{out, dtype}, value_)) {
    throw ValidationError(operation,
                          InvalidArgument{"scalar", "a value that " + std::string(dtype.name()) +
                                                        " represents was wanted, found " + text() +
                                                        "; cast the tensor or write another value"});
  }
  return out;
}

std::string Scalar::text() const {
  std::ostringstream out;
  out.precision(17);
  out << std::boolalpha;
  std::visit([&](const auto& value) { out << value; }, value_);
  return out.str();
}

}  // namespace tenure::inline TENURE_BUILD
