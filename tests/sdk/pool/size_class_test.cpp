// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/size_class.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

using namespace tenure::sdk::pool;

namespace {

// Every size up to 16 KiB, the neighbourhood of every class, and random sizes of every magnitude.
template <class Function>
void for_many_sizes(const Function& function) {
  for (std::uint64_t bytes = 1; bytes <= 16384; ++bytes) function(bytes);
  for (SizeClass c = 0; c < size_class_count; ++c) {
    const std::uint64_t bytes = size_class_bytes(c);
    function(bytes - 1);
    function(bytes);
    if (bytes < block_bytes_max) function(bytes + 1);
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 100'000; ++i) function((random() % block_bytes_max >> (random() % 44)) + 1);
}

}  // namespace

TEST_CASE("size_class_of: the class holds the size and the next smaller class does not") {
  for_many_sizes([](std::uint64_t bytes) {
    const SizeClass c = size_class_of(bytes);
    REQUIRE(c < size_class_count);
    REQUIRE(size_class_bytes(c) >= bytes);
    if (c > 0) REQUIRE(size_class_bytes(c - 1) < bytes);
  });
}

TEST_CASE("size_class_of: nothing and one byte take the smallest class") {
  CHECK(size_class_of(0) == 0);
  CHECK(size_class_of(1) == 0);
  CHECK(size_class_bytes(0) == 64);
}

TEST_CASE("size_class_bytes: classes grow, and each is the class of its own size") {
  for (SizeClass c = 0; c < size_class_count; ++c) {
    REQUIRE(size_class_of(size_class_bytes(c)) == c);
    if (c > 0) REQUIRE(size_class_bytes(c) > size_class_bytes(c - 1));
  }
  CHECK(size_class_bytes(size_class_count - 1) == block_bytes_max);
}

TEST_CASE("size_class_bytes: every power of two from 64 bytes on is a class of its own") {
  for (std::uint64_t bytes = 64; bytes <= block_bytes_max; bytes *= 2) {
    REQUIRE(size_class_bytes(size_class_of(bytes)) == bytes);
  }
}

TEST_CASE("size_class_bytes: 8 classes for each doubling from 2 KiB on") {
  for (std::uint64_t bytes = 2048; bytes < block_bytes_max; bytes *= 2) {
    REQUIRE(size_class_of(2 * bytes) - size_class_of(bytes) == 8);
  }
}

TEST_CASE("size_class_bytes: waste is below one unit under 2 KiB and at most an eighth from there on") {
  for_many_sizes([](std::uint64_t bytes) {
    const SizeClass c = size_class_of(bytes);
    const std::uint64_t waste_bytes = size_class_bytes(c) - bytes;
    if (bytes < 2048) {
      REQUIRE(waste_bytes < size_class_alignment_bytes(c));
    } else {
      REQUIRE(8 * waste_bytes <= bytes);
    }
  });
}

TEST_CASE("size_class_alignment_bytes: 64 below 256 bytes and 256 from there on, which divides the size") {
  for (SizeClass c = 0; c < size_class_count; ++c) {
    REQUIRE(size_class_alignment_bytes(c) == (size_class_bytes(c) < 256 ? 64 : 256));
    REQUIRE(size_class_bytes(c) % size_class_alignment_bytes(c) == 0);
  }
}
