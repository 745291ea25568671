// SPDX-License-Identifier: Apache-2.0
// code_name: names of the numbers that cross the boundary, for messages.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tenure/provider_abi.h"

namespace tenure::abi {

// "RESOURCE_EXHAUSTED" for 8; "UNKNOWN" also for a number outside the list.
constexpr std::string_view status_name(std::int32_t code) noexcept {
  constexpr std::array<std::string_view, 17> names{
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS", "UNAUTHENTICATED"};
  if (code < 0 || code >= static_cast<std::int32_t>(names.size())) return "UNKNOWN";
  return names[static_cast<std::size_t>(code)];
}

constexpr bool is_status_code(std::int32_t code) noexcept {
  return code >= TENURE_OK && code <= TENURE_UNAUTHENTICATED;
}

// "managed" for TENURE_MEMORY_MANAGED; an unknown kind is "opaque".
constexpr std::string_view memory_name(std::uint32_t memory) noexcept {
  constexpr std::array<std::string_view, 6> names{"opaque", "pageable", "pinned",
                                                  "device", "managed",  "shared"};
  return memory < names.size() ? names[memory] : names[0];
}

}  // namespace tenure::abi
