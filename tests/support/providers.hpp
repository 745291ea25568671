// SPDX-License-Identifier: Apache-2.0
// providers: the providers that this build made, loaded once for each test program.
#pragma once

#include <string>

#include "tenure/loader/instance.hpp"
#include "tenure/loader/provider.hpp"
#include "tenure/loader/registry.hpp"

namespace tenure::test {

inline std::string provider_file(const std::string& name) {
  return std::string(TENURE_TEST_PROVIDERS) + "/libtenure_" + name + ".so";
}

inline Instance open(const std::string& name) {
  static Registry registry;
  return registry.load(provider_file(name)).open();
}

}  // namespace tenure::test
