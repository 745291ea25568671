// SPDX-License-Identifier: Apache-2.0
// caught: the error that a call throws, for looking at its fields.
#pragma once

#include <doctest/doctest.h>

#include <string_view>

namespace tenure_test {

// Fails the test when the call throws nothing or something else.
template <class E, class Call>
E caught(Call call) {
  try {
    static_cast<void>(call());
  } catch (const E& error) {
    return error;
  }
  FAIL("expected an error of another type, found none");
  throw 0;  // FAIL does not return
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace tenure_test
