// SPDX-License-Identifier: Apache-2.0
// sentence: text put together from values, for messages.
#pragma once

#include <sstream>
#include <string>

namespace tenure::probe {

// The values one after the other, as operator<< writes them.
template <class... Values>
std::string sentence(const Values&... values) {
  std::ostringstream out;
  (out << ... << values);
  return std::move(out).str();
}

}  // namespace tenure::probe
