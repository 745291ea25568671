// SPDX-License-Identifier: Apache-2.0
#include "byte_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace tenure::pool_report;

TEST_CASE("byte_text: the largest unit that leaves one or more, with three digits") {
  CHECK(byte_text(0) == "0 B");
  CHECK(byte_text(1023) == "1023 B");
  CHECK(byte_text(1024) == "1 KiB");
  CHECK(byte_text(1536) == "1.50 KiB");
  CHECK(byte_text(10 * 1024 + 512) == "10.5 KiB");
  CHECK(byte_text(std::uint64_t{3} << 30) == "3 GiB");
  CHECK(byte_text(UINT64_MAX) == "16 EiB");
}

TEST_CASE("count_text: thousands are apart") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1000) == "1,000");
  CHECK(count_text(UINT64_MAX) == "18,446,744,073,709,551,615");
}

TEST_CASE("html_text: nothing of a text becomes markup") {
  CHECK(html_text("a<b>&\"c\"") == "a&lt;b&gt;&amp;&quot;c&quot;");
}
