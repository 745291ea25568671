// SPDX-License-Identifier: Apache-2.0
// scalar: one value that takes the element type of the tensor that it meets.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <variant>

#include "tenure/layout/dtype.hpp"

namespace tenure::inline TENURE_BUILD {

// What can be written beside a tensor, as in `engine.multiply(a, 0.5)`: a value of any element type.
class TENURE_API Scalar {
 public:
  template <ElementType T>
  Scalar(T value) noexcept : value_(widen(value)) {}

  // The value as an element of `dtype`. Throws InvalidArgument naming `operation` when it is not one: an
  // integer must be exact, a fraction is rounded once for a floating type and refused for others, a number
  // beyond the range is refused, and only a bool is a bool.
  tenure_scalar to(const char* operation, DType dtype) const;
  // As a person would write it.
  std::string text() const;

 private:
  using Value = std::variant<bool, std::int64_t, std::uint64_t, double, std::complex<double>>;

  template <class T>
  static Value widen(T value) noexcept {
    if constexpr (std::same_as<T, bool>) {
      return value;
    } else if constexpr (std::signed_integral<T>) {
      return static_cast<std::int64_t>(value);
    } else if constexpr (std::unsigned_integral<T>) {
      return static_cast<std::uint64_t>(value);
    } else if constexpr (std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>) {
      return std::complex<double>(value);
    } else if constexpr (std::floating_point<T>) {
      return static_cast<double>(value);
    } else {
      return static_cast<double>(static_cast<float>(value));
    }
  }

  Value value_;
};

}  // namespace tenure::inline TENURE_BUILD
