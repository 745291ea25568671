// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/float16.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include "tenure/layout/bfloat16.hpp"

using tenure::bfloat16;
using tenure::float16;

namespace {

// The value of a bit pattern by the definition of the format.
double value_of(std::uint16_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = bits >> 15 == 0 ? 1.0 : -1.0;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction == 0 ? sign * HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
}

// Every pair of neighbours: what lies between them goes to the nearer one, the middle to the even one.
template <class Small>
void check_rounding_between_neighbours(int exponent_bits, int fraction_bits) {
  const auto infinity = static_cast<std::uint16_t>(((1 << exponent_bits) - 1) << fraction_bits);
  for (std::uint16_t bits = 0; bits < infinity; ++bits) {
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const double low = value_of(bits, exponent_bits, fraction_bits);
    // Beyond the largest number the next one would be what infinity's place stands for.
    const double step = low - value_of(static_cast<std::uint16_t>(bits - 1), exponent_bits, fraction_bits);
    const double high = next == infinity ? low + step : value_of(next, exponent_bits, fraction_bits);
    const double middle = low + (high - low) / 2;
    const std::uint16_t even = bits % 2 == 0 ? bits : next;
    bool right = Small(low).bits() == bits && Small(middle).bits() == even;
    right = right && Small(std::nextafter(middle, low)).bits() == bits;
    right = right && Small(std::nextafter(middle, high)).bits() == next;
    right = right && Small(-middle).bits() == (even | 0x8000);
    CAPTURE(bits);
    REQUIRE(right);
  }
}

template <class Small>
void check_widening(int exponent_bits, int fraction_bits) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const double expected = value_of(pattern, exponent_bits, fraction_bits);
    const float found = Small::from_bits(pattern);
    CAPTURE(bits);
    if (std::isnan(expected)) {
      REQUIRE(std::isnan(found));
      REQUIRE(std::isnan(static_cast<float>(Small(found))));
    } else {
      REQUIRE(static_cast<double>(found) == expected);
      REQUIRE(std::signbit(found) == (pattern >> 15 != 0));
      REQUIRE(Small(found).bits() == pattern);
    }
  }
}

}  // namespace

TEST_CASE("float16: every value between two neighbours rounds to the nearest, ties to even") {
  check_rounding_between_neighbours<float16>(5, 10);
}

TEST_CASE("bfloat16: every value between two neighbours rounds to the nearest, ties to even") {
  check_rounding_between_neighbours<bfloat16>(8, 7);
}

TEST_CASE("float16: every bit pattern widens exactly and comes back") { check_widening<float16>(5, 10); }

TEST_CASE("bfloat16: every bit pattern widens exactly and comes back") { check_widening<bfloat16>(8, 7); }

TEST_CASE("float16: what is too large becomes infinity, what is too small becomes zero") {
  CHECK(float16(65519.9).bits() == 0x7bff);
  CHECK(float16(65520.0).bits() == 0x7c00);
  CHECK(float16(-1e300).bits() == 0xfc00);
  CHECK(float16(HUGE_VAL).bits() == 0x7c00);
  CHECK(float16(0x1p-25).bits() == 0);
  CHECK(float16(0x1.0000001p-25).bits() == 1);
  CHECK(float16(-1e-300).bits() == 0x8000);
  CHECK(float16(std::numeric_limits<double>::denorm_min()).bits() == 0);
}

TEST_CASE("float16: a double that float would round twice is rounded once") {
  // Just above the middle of two float16 values, by less than a float can show.
  const double value = 1.0 + 0x1p-11 + 0x1p-40;
  CHECK(float16(value).bits() == 0x3c01);
  CHECK(float16(static_cast<float>(value)).bits() == 0x3c00);
}

TEST_CASE("float16: both small formats are trivial storage of two bytes") {
  static_assert(std::is_trivial_v<float16> && sizeof(float16) == 2 && alignof(float16) == 2);
  static_assert(std::is_trivial_v<bfloat16> && sizeof(bfloat16) == 2 && alignof(bfloat16) == 2);
  CHECK(float16(1).bits() == 0x3c00);
  CHECK(bfloat16(1.0f).bits() == 0x3f80);
}
