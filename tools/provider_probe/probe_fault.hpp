// SPDX-License-Identifier: Apache-2.0
// probe_fault: the probe could not do its own work; says nothing about a provider.
#pragma once

#include <stdexcept>

namespace tenure::probe {

class ProbeFault final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenure::probe
