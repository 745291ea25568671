// SPDX-License-Identifier: Apache-2.0
#include "base/number_list.hpp"

namespace tenure::inline TENURE_BUILD {

std::string text_of(std::span<const std::int64_t> numbers) {
  std::string text = "[";
  for (const std::int64_t number : numbers) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(number);
  }
  return text + ']';
}

}  // namespace tenure::inline TENURE_BUILD
