// SPDX-License-Identifier: Apache-2.0
// text: strings as they cross the boundary.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "tenure/provider_abi.h"

// Two providers in one process must not share what these headers instantiate.
#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// `text` as the contract passes it. Owner: whoever owned the bytes before.
constexpr tenure_string to_c(std::string_view text) noexcept { return {text.data(), text.size()}; }

// A string of the contract as a view; an empty one may have a null address.
constexpr std::string_view to_view(tenure_string text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.bytes};
}

// Writes `text` and a NUL into a fixed field, cut between two code points where it does not fit.
template <std::size_t N>
void put_text(char (&field)[N], std::string_view text) noexcept {
  std::size_t bytes = std::min(text.size(), N - 1);
  if (bytes < text.size()) {
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0u) == 0x80u) --bytes;
  }
  if (bytes != 0) std::memcpy(field, text.data(), bytes);
  field[bytes] = '\0';
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
