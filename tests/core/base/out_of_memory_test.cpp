// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/out_of_memory.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using tenure::OutOfMemory;

TEST_CASE("OutOfMemory: says how much was wanted where") {
  const OutOfMemory error("zeros", 4096, "host");
  CHECK(error.bytes() == 4096);
  CHECK(error.domain() == "host");
  CHECK_FALSE(error.pool().has_value());
  CHECK(error.code() == tenure::ErrorCode::out_of_memory);
  CHECK(
      std::string(error.what()) ==
      "zeros: wanted 4096 bytes of host, found too little memory; release tensors or work in smaller pieces");
}

TEST_CASE("OutOfMemory: carries what the pool held") {
  const OutOfMemory::PoolSnapshot pool{
      .idle_count = 1, .idle_bytes = 128, .live_count = 2, .live_bytes = 8192};
  const OutOfMemory error("Pool::acquire", 64, "cpu:0/pageable", pool);
  REQUIRE(error.pool().has_value());
  CHECK(error.pool()->live_bytes == 8192);
  CHECK(std::string(error.what()).find("2 blocks of 8192 bytes out and 1 block of 128 bytes idle") !=
        std::string::npos);
}

static_assert(std::is_nothrow_copy_constructible_v<OutOfMemory> && std::is_final_v<OutOfMemory>);
