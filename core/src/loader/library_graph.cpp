// SPDX-License-Identifier: Apache-2.0
#include "loader/library_graph.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <set>

#include "loader/library_search.hpp"
#include "loader/process_facts.hpp"
#include "loader/similar_names.hpp"
#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

namespace {

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

Problem missing(std::string_view rule, std::int32_t code, std::string culprit, std::string message,
                std::string hint) {
  return {.id = std::string(rule),
          .stage = LoadStage::dependencies,
          .code = code,
          .culprit = std::move(culprit),
          .wanted = {},
          .found = {},
          .searched = {},
          .message = std::move(message),
          .hint = std::move(hint)};
}

std::vector<std::string> versions_of(const ElfFile& asker, std::string_view library) {
  std::vector<std::string> versions;
  for (const ElfVersionNeed& need : asker.version_needs) {
    if (need.library == library) versions.emplace_back(need.version);
  }
  return versions;
}

// What a mapped provider could be given: symbols of the process, and of everything in the graph.
class Definitions {
 public:
  Definitions(const ElfFile& provider, const LibraryGraph& graph) : provider_(provider), graph_(graph) {}

  bool contains(std::string_view symbol) {
    // Nearly everything is in the process already, and the libraries' symbols need not be sorted.
    if (process_defines(std::string(symbol))) return true;
    if (sorted_.empty()) collect();
    return std::ranges::binary_search(sorted_, symbol);
  }

 private:
  void add(const ElfFile& file) {
    for (const ElfSymbol& symbol : file.symbols) {
      if (symbol.defined) sorted_.push_back(symbol.name);
    }
  }
  void collect() {
    add(provider_);
    for (const auto& library : graph_.libraries()) {
      if (library->file) add(*library->file);
    }
    std::ranges::sort(sorted_);
  }

  const ElfFile& provider_;
  const LibraryGraph& graph_;
  std::vector<std::string_view> sorted_;
};

void add_missing_symbols(const ElfFile& asker, const std::string& asker_path, Definitions& definitions,
                         std::vector<Problem>& problems) {
  std::vector<std::string> absent;
  for (const ElfSymbol& symbol : asker.symbols) {
    if (!symbol.defined && !symbol.weak && !definitions.contains(symbol.name))
      absent.emplace_back(symbol.name);
  }
  if (absent.empty()) return;
  std::string message =
      asker_path + " needs the symbol " + absent.front() + ", which no loaded library defines";
  const std::string readable = demangled(absent.front());
  if (readable != absent.front()) message += " (demangled: " + readable + ")";
  if (absent.size() > 1) message += ", and " + std::to_string(absent.size() - 1) + " more";
  message += ".";
  Problem problem =
      missing("file.symbols-resolved", TENURE_FAILED_PRECONDITION, absent.front(), std::move(message),
              "Link the library that defines it, or the version of it that the provider was "
              "compiled against; -z defs finds this when the provider is linked.");
  problem.wanted = join(absent);
  problem.found = "no definition";
  problems.push_back(std::move(problem));
}

}  // namespace

std::string demangled(std::string_view symbol) {
  int status = 0;
  char* const text = ::abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status);
  std::string result(status == 0 && text != nullptr ? text : symbol);
  std::free(text);
  return result;
}

LibraryGraph::LibraryGraph(const ElfFile& provider, const std::string& path)
    : provider_(provider), path_(path) {
  const LibrarySearch search;
  std::deque<LibraryAsker> askers;  // grows only at its end, so pointers into it stay valid
  askers.push_back({&provider_, path_, nullptr});
  std::set<std::string> seen;
  for (std::size_t next = 0; next < askers.size(); ++next) {
    const LibraryAsker& asker = askers[next];
    for (const std::string_view name : asker.file->needed) {
      if (!seen.insert(std::string(name)).second) continue;
      FoundLibrary found = search.find(std::string(name), asker);
      auto library =
          std::make_unique<GraphLibrary>(GraphLibrary{.needed = {.name = std::string(name),
                                                                 .needed_by = asker.path,
                                                                 .path = std::move(found.path),
                                                                 .already_loaded = found.already_loaded,
                                                                 .versions = versions_of(*asker.file, name),
                                                                 .searched = std::move(found.searched)},
                                                      .file = std::move(found.file),
                                                      .searched_folders = std::move(found.searched_folders)});
      if (library->file) askers.push_back({&*library->file, library->needed.path, &asker});
      libraries_.push_back(std::move(library));
    }
  }
}

void LibraryGraph::add_missing_libraries(std::vector<Problem>& problems) const {
  for (const auto& library : libraries_) {
    const NeededLibrary& needed = library->needed;
    if (!needed.path.empty()) continue;
    std::vector<std::string> similar;
    for (const std::string& folder : library->searched_folders) {
      for (std::string& path : similar_files(folder, needed.name)) similar.push_back(std::move(path));
    }
    std::string message = needed.name + ", needed by " + needed.needed_by +
                          ", was not found. Searched: " + join(needed.searched) + ".";
    if (!similar.empty()) message += " Similar: " + join(similar) + ".";
    Problem problem = missing("file.deps-resolved", TENURE_NOT_FOUND, needed.name, std::move(message),
                              "Install the library, or put its folder into the provider's RUNPATH or "
                              "LD_LIBRARY_PATH.");
    problem.wanted = needed.name;
    problem.found = "nothing of that name";
    problem.searched = needed.searched;
    problems.push_back(std::move(problem));
  }
}

void LibraryGraph::add_missing_versions(const ElfFile& asker, const std::string& asker_path,
                                        std::vector<Problem>& problems) const {
  for (const ElfVersionNeed& need : asker.version_needs) {
    const auto at = std::ranges::find_if(
        libraries_, [&](const auto& library) { return library->needed.name == need.library; });
    // A library without any versions is let through by the dynamic linker.
    if (need.weak || at == libraries_.end() || !(*at)->file || (*at)->file->version_definitions.empty())
      continue;
    const auto& there = (*at)->file->version_definitions;
    if (std::ranges::find(there, need.version) != there.end()) continue;
    const std::string wanted = std::string(need.version) + " of " + std::string(need.library);
    Problem problem =
        missing("file.symbols-resolved", TENURE_FAILED_PRECONDITION, std::string(need.library),
                asker_path + " needs the symbol version " + wanted + ", which " + (*at)->needed.path +
                    " does not have; its newest is " + std::string(there.back()) + ".",
                "Build the provider against the oldest system that it is to run on, or install a "
                "newer " +
                    std::string(need.library) + ".");
    problem.wanted = wanted;
    problem.found = std::string(there.back());
    problems.push_back(std::move(problem));
  }
}

void LibraryGraph::add_library_warnings(std::vector<Problem>& problems) const {
  for (const auto& library : libraries_) {
    if (library->needed.already_loaded || !library->file) continue;
    const std::string& path = library->needed.path;
    if (library->file->wants_static_tls()) {
      Problem problem = missing("file.static-tls", TENURE_RESOURCE_EXHAUSTED, path,
                                path + " asks for " + std::to_string(library->file->tls_bytes()) +
                                    " bytes of thread-local memory that is set aside when a program starts; "
                                    "little of that is left for libraries that come later.",
                                "Link the library to the program, or use a build of it without "
                                "-ftls-model=initial-exec.");
      problem.severity = Severity::warning;
      problems.push_back(std::move(problem));
    }
    if (library->file->wants_executable_stack()) {
      Problem problem = missing("file.execstack", TENURE_FAILED_PRECONDITION, path,
                                path + " asks for an executable stack, which newer systems refuse.",
                                "Link the library with -z noexecstack.");
      problem.severity = Severity::warning;
      problems.push_back(std::move(problem));
    }
  }
}

std::vector<Problem> LibraryGraph::problems() const {
  std::vector<Problem> problems;
  add_missing_libraries(problems);
  const bool complete = problems.empty();
  add_missing_versions(provider_, path_, problems);
  // Without all libraries there is no telling which symbols are missing.
  Definitions definitions(provider_, *this);
  if (complete) add_missing_symbols(provider_, path_, definitions, problems);
  for (const auto& library : libraries_) {
    if (library->needed.already_loaded || !library->file) continue;
    add_missing_versions(*library->file, library->needed.path, problems);
    if (complete) add_missing_symbols(*library->file, library->needed.path, definitions, problems);
  }
  add_library_warnings(problems);
  return problems;
}

}  // namespace tenure::inline TENURE_BUILD
