// SPDX-License-Identifier: Apache-2.0
#include "loader/utf8.hpp"

#include <doctest/doctest.h>

using tenure::is_printable_utf8;

TEST_CASE("is_printable_utf8: text of every length of character passes") {
  CHECK(is_printable_utf8(""));
  CHECK(is_printable_utf8("plain"));
  CHECK(is_printable_utf8("gr\xc3\xbc\xc3\x9f"));
  CHECK(is_printable_utf8("\xe2\x82\xac"));
  CHECK(is_printable_utf8("\xf0\x9f\x98\x80"));
}

TEST_CASE("is_printable_utf8: malformed, overlong, surrogate, too large and control characters fail") {
  for (const char* bad :
       {"\xff", "\x80", "\xc3", "\xc3(", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "a\nb", "\x7f", "\xc2\x85"}) {
    CHECK_FALSE(is_printable_utf8(bad));
  }
}
