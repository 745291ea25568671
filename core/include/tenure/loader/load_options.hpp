// SPDX-License-Identifier: Apache-2.0
// load_options: how a provider file is to be loaded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// What happens when somebody other than root and the user of the process could have changed the file:
// it or a folder above it belongs to another user or is writable by others.
enum class PathPolicy : int {
  off = 0,     // not looked at
  warn = 1,    // logged and recorded; the default
  strict = 2,  // refused; the default of a process with more rights than its user (AT_SECURE)
};

TENURE_API std::string_view path_policy_name(PathPolicy policy) noexcept;

struct LoadOptions {
  std::optional<PathPolicy> policy;  // empty: the default of the process
  // Registers the provider under this name, so that a second file with the same provider id can be
  // loaded too. Empty: the provider's id.
  std::string alias;
};

}  // namespace tenure::inline TENURE_BUILD
