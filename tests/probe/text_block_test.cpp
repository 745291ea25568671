// SPDX-License-Identifier: Apache-2.0
#include "text_block.hpp"

#include <doctest/doctest.h>

using namespace tenure::probe;

TEST_SUITE("probe/text_block") {
  TEST_CASE("TextBlock: text is broken between words and begins at its column") {
    TextBlock block(50);

    block.add("label", 8, "one two three four five six seven eight nine ten");

    CHECK(block.text() ==
          "label   one two three four five six seven eight\n"
          "        nine ten\n");
  }

  TEST_CASE("TextBlock: a word that is longer than a line is not broken") {
    TextBlock block(50);
    const std::string path(70, 'x');

    block.add("", 4, "see " + path + " there");

    CHECK(block.text() == "    see\n    " + path + "\n    there\n");
  }

  TEST_CASE("TextBlock: a letter of several bytes takes one column") {
    TextBlock block(50);
    std::string letters;
    for (int i = 0; i < 24; ++i) letters += "\xC3\xA4";

    block.add("", 0, letters + " " + letters);

    CHECK(block.text() == letters + " " + letters + "\n");
  }

  TEST_CASE("TextBlock: a line without text ends without blanks") {
    TextBlock block(50);

    block.add("label", 10, "");
    block.add_line("  ");

    CHECK(block.text() == "label\n\n");
  }

  TEST_CASE("TextBlock: control characters are shown, not obeyed") {
    TextBlock block(50);

    block.add("needs", 10, "\x1b[31m\nlib.so\x7f");
    block.add_line("caf\xc3\xa9\t");

    CHECK(block.text() == "needs     \\x1b[31m\\x0alib.so\\x7f\ncaf\xc3\xa9\\x09\n");
  }

  TEST_CASE("byte_text: binary units with one decimal from 1 KiB on") {
    CHECK(byte_text(0) == "0 B");
    CHECK(byte_text(1023) == "1023 B");
    CHECK(byte_text(1536) == "1.5 KiB");
    CHECK(byte_text(std::uint64_t{1} << 40) == "1.0 TiB");
    CHECK(byte_text(UINT64_MAX) == "16.0 EiB");
  }

  TEST_CASE("counted: the noun has a plural but for one") {
    CHECK(counted(0, "rule") == "0 rules");
    CHECK(counted(1, "rule") == "1 rule");
    CHECK(counted(2, "rule") == "2 rules");
  }

  TEST_CASE("duration_text: milliseconds below a second, seconds above") {
    CHECK(duration_text(999) == "999 ms");
    CHECK(duration_text(3149) == "3.1 s");
  }
}
