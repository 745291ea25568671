// SPDX-License-Identifier: Apache-2.0
#include "scalar_number.hpp"

#include <bit>
#include <cstddef>
#include <cstring>

#include "tenure/abi/dtype.hpp"

namespace tenure::cpu {

tenure_scalar number(tenure_dtype dtype, std::uint8_t value) noexcept {
  tenure_scalar scalar{.dtype = dtype, .zero = 0, .value = {}};
  const auto single = static_cast<float>(value);
  const auto real = static_cast<double>(value);
  if (abi::is_integer(dtype)) {
    scalar.value[std::endian::native == std::endian::little ? 0 : dtype.bits / 8 - 1] = value;
  } else if (dtype.bits == (abi::is_complex(dtype) ? 64 : 32)) {
    std::memcpy(scalar.value, &single, sizeof single);
  } else {
    std::memcpy(scalar.value, &real, sizeof real);
  }
  return scalar;
}

bool is_number(const tenure_scalar& scalar, std::uint8_t value) noexcept {
  if (abi::is_integer(scalar.dtype)) {
    return std::memcmp(scalar.value, number(scalar.dtype, value).value, scalar.dtype.bits / 8) == 0;
  }
  const auto part = [&](std::size_t index) {
    const bool is_single = scalar.dtype.bits == (abi::is_complex(scalar.dtype) ? 64 : 32);
    if (!is_single) {
      double found = 0;
      std::memcpy(&found, scalar.value + 8 * index, 8);
      return found;
    }
    float found = 0;
    std::memcpy(&found, scalar.value + 4 * index, 4);
    return static_cast<double>(found);
  };
  return part(0) == value && (!abi::is_complex(scalar.dtype) || part(1) == 0);
}

}  // namespace tenure::cpu
