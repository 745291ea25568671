// SPDX-License-Identifier: Apache-2.0
// library_graph: a provider file and every library that mapping it would need.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loader/elf_file.hpp"
#include "tenure/config.h"
#include "tenure/loader/file_report.hpp"
#include "tenure/loader/problem.hpp"

namespace tenure::inline TENURE_BUILD {

struct GraphLibrary {
  NeededLibrary needed;
  std::optional<ElfFile> file;                // empty when it was not found, or could not be read
  std::vector<std::string> searched_folders;  // when it was not found
};

class LibraryGraph {
 public:
  // Breadth first, each name once. `provider` must outlive the graph.
  LibraryGraph(const ElfFile& provider, const std::string& path);

  const std::vector<std::unique_ptr<GraphLibrary>>& libraries() const noexcept { return libraries_; }

  // Libraries that are not there, versions that they do not have, symbols that none of them defines, and
  // libraries that cannot be mapped into a running process. What is mapped already is not judged.
  std::vector<Problem> problems() const;

 private:
  void add_missing_libraries(std::vector<Problem>& problems) const;
  void add_missing_versions(const ElfFile& asker, const std::string& asker_path,
                            std::vector<Problem>& problems) const;
  void add_library_warnings(std::vector<Problem>& problems) const;

  const ElfFile& provider_;
  std::string path_;
  std::vector<std::unique_ptr<GraphLibrary>> libraries_;
};

// "f(int)" for "_Z1fi"; the name itself when it is no C++ name.
std::string demangled(std::string_view symbol);

}  // namespace tenure::inline TENURE_BUILD
