// SPDX-License-Identifier: Apache-2.0
// temporary_folder: an empty folder of one child, removed with everything in it.
#pragma once

#include <filesystem>

namespace tenure::probe {

class TemporaryFolder {
 public:
  // Throws ProbeFault.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const noexcept { return path_; }

  // Removes the folders of all children that run: for a process that a signal ends.
  static void remove_living() noexcept;

 private:
  std::filesystem::path path_;
};

}  // namespace tenure::probe
