// SPDX-License-Identifier: Apache-2.0
// temporary_folder: a folder of a test's own, which goes when the test ends.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace tenure_test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::current_path() / "loader_test_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = std::filesystem::canonical(pattern);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // A copy of the file under that name, a new file each time also when there was one of that name.
  std::filesystem::path copy(const std::filesystem::path& from, const std::string& name) const {
    std::filesystem::remove(path_ / name);
    std::filesystem::copy_file(from, path_ / name);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tenure_test
