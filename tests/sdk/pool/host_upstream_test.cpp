// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/host_upstream.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "tenure/sdk/pool/upstream.hpp"

using tenure::sdk::pool::HostUpstream;

static_assert(tenure::sdk::pool::Upstream<HostUpstream>);

TEST_CASE("HostUpstream: memory is aligned as asked and writable to its last byte") {
  HostUpstream upstream;
  for (const std::uint64_t bytes :
       {std::uint64_t{1}, std::uint64_t{100}, HostUpstream::mapping_bytes_min - 1,
        HostUpstream::mapping_bytes_min, HostUpstream::mapping_bytes_min + 4097}) {
    for (std::uint64_t alignment_bytes = 64; alignment_bytes <= (std::uint64_t{8} << 20);
         alignment_bytes *= 4) {
      CAPTURE(bytes);
      CAPTURE(alignment_bytes);
      auto* address = static_cast<unsigned char*>(upstream.acquire(bytes, alignment_bytes));
      REQUIRE(address != nullptr);
      CHECK(reinterpret_cast<std::uintptr_t>(address) % alignment_bytes == 0);
      address[0] = 1;
      address[bytes - 1] = 2;
      upstream.release(address, bytes, alignment_bytes);
    }
  }
}

TEST_CASE("HostUpstream: sizes that no machine has are refused") {
  HostUpstream upstream;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t bytes : {most, most - 4096, most / 2, std::uint64_t{1} << 60}) {
    CHECK(upstream.acquire(bytes, 64) == nullptr);
    CHECK(upstream.acquire(bytes, HostUpstream::huge_page_bytes) == nullptr);
  }
}

TEST_CASE("HostUpstream: the machine has memory") { CHECK(HostUpstream::memory_bytes() > (1U << 20)); }
