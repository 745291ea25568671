// SPDX-License-Identifier: Apache-2.0
// usage_error: arguments that can be read but ask for nothing that there is.
#pragma once

#include <stdexcept>

namespace tenure::probe {

class UsageError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenure::probe
