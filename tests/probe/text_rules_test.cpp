// SPDX-License-Identifier: Apache-2.0
#include "rules/text_rules.hpp"

#include <doctest/doctest.h>

using namespace tenure::probe;

TEST_SUITE("probe/text_rules") {
  TEST_CASE("is_utf8: every length of well-formed text is accepted") {
    CHECK(is_utf8(""));
    CHECK(is_utf8("plain"));
    CHECK(is_utf8("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"));
    CHECK(is_utf8("\xF4\x8F\xBF\xBF"));
  }

  TEST_CASE("is_utf8: cut, overlong, surrogate and too large forms are refused") {
    CHECK_FALSE(is_utf8("\xC3"));
    CHECK_FALSE(is_utf8("\x80"));
    CHECK_FALSE(is_utf8("\xC3\x28"));
    CHECK_FALSE(is_utf8("\xC0\xAF"));
    CHECK_FALSE(is_utf8("\xE0\x80\x80"));
    CHECK_FALSE(is_utf8("\xED\xA0\x80"));
    CHECK_FALSE(is_utf8("\xF4\x90\x80\x80"));
    CHECK_FALSE(is_utf8("\xFF"));
  }

  TEST_CASE("is_provider_id: lower-case letters, digits, dots and hyphens make an id") {
    CHECK(is_provider_id("org.example.gpu-2"));
    CHECK_FALSE(is_provider_id(""));
    CHECK_FALSE(is_provider_id("Org.example"));
    CHECK_FALSE(is_provider_id("org example"));
    CHECK_FALSE(is_provider_id("org_example"));
  }
}
