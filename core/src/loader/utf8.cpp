// SPDX-License-Identifier: Apache-2.0
#include "loader/utf8.hpp"

#include <cstddef>
#include <cstdint>

namespace tenure::inline TENURE_BUILD {

namespace {

struct Lead {
  std::size_t continuation_count;
  std::uint32_t bits;
  std::uint32_t code_point_min;  // smaller ones have a shorter form
};

// A count of 4 stands for a byte that begins nothing.
Lead lead_of(unsigned char byte) noexcept {
  if (byte < 0x80) return {0, byte, 0};
  if (byte >= 0xc0 && byte < 0xe0) return {1, byte & 0x1fu, 0x80};
  if (byte >= 0xe0 && byte < 0xf0) return {2, byte & 0x0fu, 0x800};
  if (byte >= 0xf0 && byte < 0xf8) return {3, byte & 0x07u, 0x10000};
  return {4, 0, 0};
}

}  // namespace

bool is_printable_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[at]));
    if (lead.continuation_count > 3 || text.size() - at <= lead.continuation_count) return false;
    std::uint32_t code_point = lead.bits;
    for (std::size_t nth = 1; nth <= lead.continuation_count; ++nth) {
      const auto byte = static_cast<unsigned char>(text[at + nth]);
      if ((byte & 0xc0) != 0x80) return false;
      code_point = code_point << 6 | (byte & 0x3fu);
    }
    const bool is_control = code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
    const bool is_surrogate = code_point >= 0xd800 && code_point < 0xe000;
    if (is_control || is_surrogate || code_point < lead.code_point_min || code_point > 0x10ffff) return false;
    at += lead.continuation_count + 1;
  }
  return true;
}

}  // namespace tenure::inline TENURE_BUILD
