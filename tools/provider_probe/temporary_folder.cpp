// SPDX-License-Identifier: Apache-2.0
#include "temporary_folder.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

#include "probe_fault.hpp"

namespace tenure::probe {

TemporaryFolder::TemporaryFolder() {
  std::error_code none;
  auto parent = std::filesystem::temp_directory_path(none);
  if (none) parent = "/tmp";
  std::string pattern = (parent / "provider-probe-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw ProbeFault("no temporary folder can be made below " + parent.string());
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // a provider may have left something that cannot be removed
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tenure::probe
