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

 private:
  std::filesystem::path path_;
};

}  // namespace tenure::probe
