// SPDX-License-Identifier: Apache-2.0
// fake_shared: the fake shared provider of this build, for its tests.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "providers/loaded_provider.hpp"

namespace tenure_test {

inline constexpr std::string_view managed = "fake:0/managed";
inline constexpr std::string_view noncoherent = "fake:0/managed-noncoherent";
inline constexpr std::string_view device = "fake:0/device";
inline constexpr std::array fake_domain_names{managed, noncoherent, device};

inline constexpr std::uint32_t host_read = TENURE_ACCESS_HOST_READ;
inline constexpr std::uint32_t host_write = TENURE_ACCESS_HOST_WRITE;

inline LoadedProvider& fake_shared() {
  static LoadedProvider provider(TENURE_FAKE_SHARED_FILE);
  return provider;
}

inline bool was_logged(TestHost& host, std::string_view words) {
  for (const std::string& line : host.log_lines()) {
    if (line.find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace tenure_test
