// SPDX-License-Identifier: Apache-2.0
#include "tenure/abi/checked_math.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace abi = tenure::abi;

TEST_CASE("checked_math: every pair of 8-bit numbers agrees with wide arithmetic") {
  for (int a = INT8_MIN; a <= INT8_MAX; ++a) {
    for (int b = INT8_MIN; b <= INT8_MAX; ++b) {
      const auto narrow_a = static_cast<std::int8_t>(a);
      const auto narrow_b = static_cast<std::int8_t>(b);
      std::int8_t out = 0;
      const auto fits = [](int wide) { return wide >= INT8_MIN && wide <= INT8_MAX; };

      const bool add = abi::checked_add(narrow_a, narrow_b, out);
      REQUIRE(add == fits(a + b));
      REQUIRE(out == static_cast<std::int8_t>(a + b));
      const bool subtract = abi::checked_subtract(narrow_a, narrow_b, out);
      REQUIRE(subtract == fits(a - b));
      REQUIRE(out == static_cast<std::int8_t>(a - b));
      const bool multiply = abi::checked_multiply(narrow_a, narrow_b, out);
      REQUIRE(multiply == fits(a * b));
      REQUIRE(out == static_cast<std::int8_t>(a * b));
    }
  }
}

TEST_CASE("is_power_of_two: exactly one bit is set") {
  CHECK_FALSE(abi::is_power_of_two(0));
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    CHECK(abi::is_power_of_two(power));
    if (bit > 1) CHECK_FALSE(abi::is_power_of_two(power - 1));
    if (bit > 0) CHECK_FALSE(abi::is_power_of_two(power + 1));
  }
}

TEST_CASE("checked_align_up: the result is the next multiple or an overflow") {
  for (std::uint64_t alignment = 1; alignment <= 64; alignment *= 2) {
    for (std::uint64_t value = 0; value < 200; ++value) {
      std::uint64_t out = 0;
      REQUIRE(abi::checked_align_up(value, alignment, out));
      REQUIRE(out % alignment == 0);
      REQUIRE(out >= value);
      REQUIRE(out - value < alignment);
    }
  }
  std::uint64_t out = 0;
  CHECK_FALSE(abi::checked_align_up(UINT64_MAX, 2, out));
  CHECK(abi::checked_align_up(UINT64_MAX - 63, 64, out));
  CHECK(out == UINT64_MAX - 63);
}
