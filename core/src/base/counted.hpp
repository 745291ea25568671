// SPDX-License-Identifier: Apache-2.0
// counted: a number with its noun, as the texts of errors show them.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// counted(1, "map") is "1 map", counted(2, "map") "2 maps"; a plural of another form is given.
template <std::integral Number>
std::string counted(Number number, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(number) + ' ';
  if (number == 1) return text.append(one);
  return many.empty() ? text.append(one) + 's' : text.append(many);
}

}  // namespace tenure::inline TENURE_BUILD
