// SPDX-License-Identifier: Apache-2.0
#include "rules/text_rules.hpp"

#include <algorithm>
#include <cstdint>

namespace tenure::probe {

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t count = lead < 0x80         ? 1
                              : lead >> 5 == 0x6  ? 2
                              : lead >> 4 == 0xE  ? 3
                              : lead >> 3 == 0x1E ? 4
                                                  : 0;
    if (count == 0 || text.size() < count) return false;
    std::uint32_t point = count == 1 ? lead : lead & (0xFFu >> (count + 1));
    for (std::size_t i = 1; i < count; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if (byte >> 6 != 0x2) return false;
      point = point << 6 | (byte & 0x3Fu);
    }
    constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < smallest[count] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return false;
    text.remove_prefix(count);
  }
  return true;
}

bool is_provider_id(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '.' ||
           letter == '-';
  });
}

}  // namespace tenure::probe
