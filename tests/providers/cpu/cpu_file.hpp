// SPDX-License-Identifier: Apache-2.0
// cpu_file: the CPU provider of this build, for the tests that all providers have in common.
#pragma once

#include "providers/loaded_provider.hpp"

namespace tenure_test {

inline LoadedProvider& cpu() {
  static LoadedProvider provider(TENURE_CPU_FILE);
  return provider;
}

}  // namespace tenure_test
