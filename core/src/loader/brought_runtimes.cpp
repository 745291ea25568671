// SPDX-License-Identifier: Apache-2.0
#include "loader/brought_runtimes.hpp"

#include <array>
#include <filesystem>
#include <string_view>

#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

namespace {

struct Kind {
  std::string_view file_prefix;
  std::string_view name;
};
constexpr std::array<Kind, 13> kinds{{{"libtbb.", "TBB"},
                                      {"libgomp.", "OpenMP"},
                                      {"libomp.", "OpenMP"},
                                      {"libiomp5.", "OpenMP"},
                                      {"libopenblas", "BLAS"},
                                      {"libblas.", "BLAS"},
                                      {"libblis", "BLAS"},
                                      {"libmkl_rt.", "BLAS"},
                                      {"libmkl_core.", "BLAS"},
                                      {"libjemalloc.", "allocator"},
                                      {"libtcmalloc", "allocator"},
                                      {"libmimalloc.", "allocator"},
                                      {"libtbbmalloc_proxy.", "allocator"}}};

std::string_view kind_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  for (const Kind& kind : kinds) {
    if (name.starts_with(kind.file_prefix)) return kind.name;
  }
  return {};
}

bool same_file(const std::string& left, const std::string& right) {
  std::error_code error;
  return left == right || std::filesystem::equivalent(left, right, error);
}

}  // namespace

std::vector<BroughtRuntime> brought_runtimes(const std::vector<NeededLibrary>& needed) {
  std::vector<BroughtRuntime> brought;
  for (const NeededLibrary& library : needed) {
    const std::string_view kind = kind_of(library.path.empty() ? library.name : library.path);
    if (!kind.empty()) brought.push_back({std::string(kind), library.path, library.already_loaded});
  }
  return brought;
}

std::vector<Problem> duplicate_runtimes(const std::vector<BroughtRuntime>& brought,
                                        const std::vector<MappedRange>& mapped) {
  std::vector<Problem> problems;
  std::vector<std::string> there;
  for (const MappedRange& range : mapped) {
    if (!kind_of(range.path).empty()) there.push_back(range.path);
  }
  for (const BroughtRuntime& runtime : brought) {
    if (runtime.already_loaded || runtime.path.empty()) continue;
    for (const std::string& other : there) {
      if (kind_of(other) != runtime.kind || same_file(other, runtime.path)) continue;
      problems.push_back(
          {.id = "file.duplicate-runtimes",
           .severity = Severity::warning,
           .stage = LoadStage::dependencies,
           .code = TENURE_FAILED_PRECONDITION,
           .culprit = runtime.path,
           .wanted = "one " + runtime.kind + " library in the process",
           .found = other + " and " + runtime.path,
           .searched = {},
           .message = "the process would have two " + runtime.kind + " libraries, " + other + " and " +
                      runtime.path + "; their threads or memory do not know of each other",
           .hint = "Link the provider to the same library, or into itself with hidden symbols."});
      break;
    }
    there.push_back(runtime.path);
  }
  return problems;
}

}  // namespace tenure::inline TENURE_BUILD
