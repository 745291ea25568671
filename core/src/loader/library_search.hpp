// SPDX-License-Identifier: Apache-2.0
// library_search: where the dynamic linker would find a library, and where it would look.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/elf_file.hpp"
#include "loader/library_cache.hpp"
#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// A file that asks for libraries.
struct LibraryAsker {
  const ElfFile* file = nullptr;
  std::string path;
  const LibraryAsker* asked_by = nullptr;  // whose RPATH counts too; null for the provider
};

struct FoundLibrary {
  std::string path;             // empty: not found
  std::optional<ElfFile> file;  // set when found and readable
  bool already_loaded = false;
  std::vector<std::string> searched;          // in order, in words
  std::vector<std::string> searched_folders;  // those of them that are folders
};

// Follows ld.so(8): what is mapped, RPATH, LD_LIBRARY_PATH, RUNPATH, the system's cache, the default
// folders, each with its glibc-hwcaps. Runs and maps nothing.
class LibrarySearch {
 public:
  LibrarySearch();
  FoundLibrary find(const std::string& name, const LibraryAsker& asker) const;

 private:
  bool look_in(const std::string& folder, const std::string& label, const std::string& name,
               const LibraryAsker& asker, FoundLibrary& found) const;
  bool look_in_list(std::string_view list, std::string_view label, const std::string& owner_path,
                    const std::string& name, const LibraryAsker& asker, FoundLibrary& found) const;
  bool look_at(const std::string& path, const LibraryAsker& asker, FoundLibrary& found) const;

  LibraryCache cache_;
  std::optional<std::string> library_path_;  // LD_LIBRARY_PATH
  std::vector<std::string> hardware_folders_;
};

}  // namespace tenure::inline TENURE_BUILD
