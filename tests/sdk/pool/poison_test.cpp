// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/poison.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace pool = tenure::sdk::pool;

TEST_CASE("poison: an odd number of bytes is filled to its last byte and not beyond") {
  for (const std::uint64_t bytes : {0u, 1u, 2u, 1001u}) {
    CAPTURE(bytes);
    alignas(std::uint16_t) std::array<unsigned char, 1004> memory{};
    pool::fill_unwritten(memory.data(), bytes);
    for (std::uint64_t i = 0; i < memory.size(); ++i) {
      const unsigned char expected = i % 2 == 0 ? pool::unwritten_word & 0xFF : pool::unwritten_word >> 8;
      REQUIRE(memory[i] == (i < bytes ? expected : 0));
    }
  }
}

TEST_CASE("poison: neither pattern is a bool, and a released byte is -1") {
  CHECK(pool::released_byte == std::numeric_limits<unsigned char>::max());
  CHECK((pool::unwritten_word & 0xFF) > 1);
  CHECK((pool::unwritten_word >> 8) > 1);
}
