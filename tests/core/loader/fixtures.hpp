// SPDX-License-Identifier: Apache-2.0
// fixtures: the paths of the small libraries that the loader's tests load.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "fixtures/fixture_provider.h"

namespace tenure_test {

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(LOADER_FIXTURES) / ("libfixture_" + name + ".so");
}

// What a loaded fixture counted.
inline fixture_counts& counts_of(const std::filesystem::path& path) {
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  void* const counts = handle == nullptr ? nullptr : ::dlsym(handle, "fixture_counts_of_this_file");
  if (counts == nullptr) throw std::runtime_error("not loaded: " + path.string());
  ::dlclose(handle);
  return *static_cast<fixture_counts*>(counts);
}

}  // namespace tenure_test
