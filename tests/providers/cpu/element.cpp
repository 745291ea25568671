// SPDX-License-Identifier: Apache-2.0
#include "element.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

namespace cpu_test {
namespace {

using tenure::abi::dtype_table;

template <class T>
T load(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

template <class T>
void store(std::byte* element, T value) {
  std::memcpy(element, &value, sizeof value);
}

// The value of 16 bits with this many bits of fraction.
long double decode_short(std::uint16_t bits, int fraction_bits, int exponent_min) {
  const int exponent_mask = (1 << (15 - fraction_bits)) - 1;
  const int exponent = bits >> fraction_bits & exponent_mask;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const long double sign = (bits & 0x8000) != 0 ? -1.0L : 1.0L;
  if (exponent == exponent_mask) {
    return fraction != 0 ? std::numeric_limits<long double>::quiet_NaN()
                         : sign * std::numeric_limits<long double>::infinity();
  }
  if (exponent == 0)
    return sign * std::ldexp(static_cast<long double>(fraction), exponent_min - fraction_bits);
  return sign * std::ldexp(static_cast<long double>(fraction + (1 << fraction_bits)),
                           exponent_min + exponent - 1 - fraction_bits);
}

std::uint16_t encode_short(long double value, int fraction_bits, const Precision& precision) {
  const int exponent_mask = (1 << (15 - fraction_bits)) - 1;
  const int sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return static_cast<std::uint16_t>(sign | exponent_mask << fraction_bits | 1 << (fraction_bits - 1));
  const long double rounded = std::fabs(round_to(value, precision));
  if (std::isinf(rounded)) return static_cast<std::uint16_t>(sign | exponent_mask << fraction_bits);
  if (rounded < std::ldexp(1.0L, precision.exponent_min)) {
    return static_cast<std::uint16_t>(
        sign | static_cast<int>(std::ldexp(rounded, fraction_bits - precision.exponent_min)));
  }
  const int exponent = std::ilogb(rounded);
  const int fraction = static_cast<int>(std::ldexp(rounded, fraction_bits - exponent)) - (1 << fraction_bits);
  return static_cast<std::uint16_t>(sign | (exponent - precision.exponent_min + 1) << fraction_bits |
                                    fraction);
}

long double read_real(tenure_dtype dtype, const std::byte* element) {
  switch (dtype.code << 8 | dtype.bits) {
    case TENURE_DTYPE_BOOL << 8 | 8:
      return load<std::uint8_t>(element) != 0 ? 1.0L : 0.0L;
    case TENURE_DTYPE_INT << 8 | 8:
      return load<std::int8_t>(element);
    case TENURE_DTYPE_INT << 8 | 16:
      return load<std::int16_t>(element);
    case TENURE_DTYPE_INT << 8 | 32:
      return load<std::int32_t>(element);
    case TENURE_DTYPE_INT << 8 | 64:
      return static_cast<long double>(load<std::int64_t>(element));
    case TENURE_DTYPE_UINT << 8 | 8:
      return load<std::uint8_t>(element);
    case TENURE_DTYPE_UINT << 8 | 16:
      return load<std::uint16_t>(element);
    case TENURE_DTYPE_UINT << 8 | 32:
      return load<std::uint32_t>(element);
    case TENURE_DTYPE_UINT << 8 | 64:
      return static_cast<long double>(load<std::uint64_t>(element));
    case TENURE_DTYPE_FLOAT << 8 | 16:
      return decode_short(load<std::uint16_t>(element), 10, -14);
    case TENURE_DTYPE_BFLOAT << 8 | 16:
      return decode_short(load<std::uint16_t>(element), 7, -126);
    case TENURE_DTYPE_FLOAT << 8 | 32:
      return load<float>(element);
    default:
      return load<double>(element);
  }
}

void write_real(tenure_dtype dtype, long double value, std::byte* element) {
  switch (dtype.code << 8 | dtype.bits) {
    case TENURE_DTYPE_BOOL << 8 | 8:
      return store<std::uint8_t>(element, value != 0);
    case TENURE_DTYPE_INT << 8 | 8:
      return store(element, static_cast<std::int8_t>(value));
    case TENURE_DTYPE_INT << 8 | 16:
      return store(element, static_cast<std::int16_t>(value));
    case TENURE_DTYPE_INT << 8 | 32:
      return store(element, static_cast<std::int32_t>(value));
    case TENURE_DTYPE_INT << 8 | 64:
      return store(element, static_cast<std::int64_t>(value));
    case TENURE_DTYPE_UINT << 8 | 8:
      return store(element, static_cast<std::uint8_t>(value));
    case TENURE_DTYPE_UINT << 8 | 16:
      return store(element, static_cast<std::uint16_t>(value));
    case TENURE_DTYPE_UINT << 8 | 32:
      return store(element, static_cast<std::uint32_t>(value));
    case TENURE_DTYPE_UINT << 8 | 64:
      return store(element, static_cast<std::uint64_t>(value));
    case TENURE_DTYPE_FLOAT << 8 | 16:
      return store(element, encode_short(value, 10, {11, -14, 15}));
    case TENURE_DTYPE_BFLOAT << 8 | 16:
      return store(element, encode_short(value, 7, {8, -126, 127}));
    case TENURE_DTYPE_FLOAT << 8 | 32:
      return store(element, static_cast<float>(value));
    default:
      return store(element, static_cast<double>(value));
  }
}

tenure_dtype part_of(tenure_dtype dtype) {
  if (!tenure::abi::is_complex(dtype)) return dtype;
  return {TENURE_DTYPE_FLOAT, static_cast<std::uint8_t>(dtype.bits / 2), 1};
}

long double random_real(std::mt19937_64& random, const Precision& precision) {
  switch (random() % 32) {
    case 0:
      return std::numeric_limits<long double>::infinity();
    case 1:
      return -std::numeric_limits<long double>::infinity();
    case 2:
      return std::numeric_limits<long double>::quiet_NaN();
    case 3:
      return -0.0L;
    case 4:
      return std::ldexp(static_cast<long double>(random() % 1000),
                        precision.exponent_min - precision.mantissa_bits);
    case 5:
      return std::ldexp(1.0L, precision.exponent_max) * (random() % 2 == 0 ? 1 : -1);
    case 6:
      return static_cast<long double>(random() % 5) - 2.0L;
    default:
      return std::uniform_real_distribution<double>(-8.0, 8.0)(random);
  }
}

}  // namespace

Dtype dtype_named(std::string_view name) {
  for (Dtype dtype = 0; dtype < dtype_count; ++dtype) {
    if (name_of(dtype) == name) return dtype;
  }
  throw std::runtime_error("no dtype " + std::string(name));
}

Number read_number(Dtype dtype, const std::byte* element) {
  const tenure_dtype found = to_abi(dtype);
  const tenure_dtype part = part_of(found);
  Number number{read_real(part, element), 0};
  if (tenure::abi::is_complex(found)) number.im = read_real(part, element + part.bits / 8);
  return number;
}

void write_number(Dtype dtype, const Number& number, std::byte* element) {
  const tenure_dtype found = to_abi(dtype);
  const tenure_dtype part = part_of(found);
  write_real(part, number.re, element);
  if (tenure::abi::is_complex(found)) write_real(part, number.im, element + part.bits / 8);
}

Precision precision_of(Dtype dtype) {
  const tenure_dtype part = part_of(to_abi(dtype));
  if (part.code == TENURE_DTYPE_BFLOAT) return {8, -126, 127};
  if (part.bits == 16) return {11, -14, 15};
  if (part.bits == 32) return {24, -126, 127};
  return {53, -1022, 1023};
}

long double round_to(long double value, const Precision& precision) {
  if (value == 0 || !std::isfinite(value)) return value;
  const long double ulp = ulp_of(value, precision);
  const long double rounded = std::nearbyint(value / ulp) * ulp;
  const long double above = std::ldexp(1.0L, precision.exponent_max + 1);
  return std::fabs(rounded) >= above ? std::copysign(std::numeric_limits<long double>::infinity(), value)
                                     : rounded;
}

long double ulp_of(long double value, const Precision& precision) {
  const int exponent =
      value == 0 ? precision.exponent_min : std::max(std::ilogb(value), precision.exponent_min);
  return std::ldexp(1.0L, exponent - precision.mantissa_bits + 1);
}

void random_element(std::mt19937_64& random, Dtype dtype, std::byte* element) {
  const tenure_dtype found = to_abi(dtype);
  if (tenure::abi::is_floating(found) || tenure::abi::is_complex(found)) {
    const Precision precision = precision_of(dtype);
    return write_number(dtype, {random_real(random, precision), random_real(random, precision)}, element);
  }
  if (tenure::abi::is_boolean(found)) return store<std::uint8_t>(element, random() % 2);
  // Small numbers, or any bits, among them both ends of the range.
  std::uint64_t bits = random();
  if (random() % 4 != 0) bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits % 201) - 100);
  if (random() % 16 == 0) bits = std::uint64_t{1} << (found.bits - 1);
  if (random() % 16 == 0) bits = ~std::uint64_t{0};
  std::memcpy(element, &bits, found.bits / 8);
}

bool same_number(const Number& a, const Number& b) {
  const auto same = [](long double x, long double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return same(a.re, b.re) && same(a.im, b.im);
}

}  // namespace cpu_test
