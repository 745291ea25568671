// SPDX-License-Identifier: Apache-2.0
#include "temporary_folder.hpp"

#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

#include "probe_fault.hpp"

namespace tenure::probe {

namespace {

std::mutex living_mutex;
// Never destroyed: a signal may come while the process ends.
std::set<std::filesystem::path>& living() {
  static std::set<std::filesystem::path>& folders = *new std::set<std::filesystem::path>;
  return folders;
}

void remove_folder(const std::filesystem::path& folder) noexcept {
  std::error_code ignored;  // a provider may have left something that cannot be removed
  std::filesystem::remove_all(folder, ignored);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code none;
  auto parent = std::filesystem::temp_directory_path(none);
  if (none) parent = "/tmp";
  std::string pattern = (parent / "provider-probe-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw ProbeFault("no temporary folder can be made below " + parent.string());
  }
  path_ = pattern;
  const std::lock_guard lock(living_mutex);
  living().insert(path_);
}

TemporaryFolder::~TemporaryFolder() {
  remove_folder(path_);
  const std::lock_guard lock(living_mutex);
  living().erase(path_);
}

void TemporaryFolder::remove_living() noexcept {
  const std::lock_guard lock(living_mutex);
  for (const std::filesystem::path& folder : living()) remove_folder(folder);
}

}  // namespace tenure::probe
