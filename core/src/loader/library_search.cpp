// SPDX-License-Identifier: Apache-2.0
#include "loader/library_search.hpp"

#include <sys/stat.h>

#include <array>
#include <filesystem>

#include "loader/process_facts.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

#if defined(__x86_64__)
constexpr std::string_view machine_folder = "x86_64-linux-gnu";
constexpr std::string_view platform = "x86_64";
#else
constexpr std::string_view machine_folder = "aarch64-linux-gnu";
constexpr std::string_view platform = "aarch64";
#endif

// Distributions differ in which of these they use.
std::array<std::string, 6> default_folders() {
  const std::string machine(machine_folder);
  return {"/lib/" + machine, "/usr/lib/" + machine, "/lib64", "/usr/lib64", "/lib", "/usr/lib"};
}

void replace_token(std::string& text, std::string_view token, std::string_view value) {
  for (const std::string& form : {"${" + std::string(token) + "}", "$" + std::string(token)}) {
    for (std::size_t at = text.find(form); at != std::string::npos; at = text.find(form, at + value.size())) {
      text.replace(at, form.size(), value);
    }
  }
}

std::string expand(std::string text, const std::string& owner_path) {
  replace_token(text, "ORIGIN", std::filesystem::path(owner_path).parent_path().string());
  replace_token(text, "LIB", "lib/" + std::string(machine_folder));
  replace_token(text, "PLATFORM", platform);
  return text;
}

bool exists(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0;
}

}  // namespace

LibrarySearch::LibrarySearch()
    : cache_(LibraryCache::read()), library_path_(trusted_environment("LD_LIBRARY_PATH")) {
  for (std::uint16_t level = host_facts().isa_level; level >= 2; --level) {
    hardware_folders_.push_back("glibc-hwcaps/x86-64-v" + std::to_string(level) + "/");
  }
}

// True when it is the library. A file for another machine is passed over, as the dynamic linker does.
bool LibrarySearch::look_at(const std::string& path, const LibraryAsker& asker, FoundLibrary& found) const {
  const auto opened = OpenedFile::open(path);
  if (!opened) {
    if (exists(path)) found.searched.push_back(path + " (cannot be read)");
    return false;
  }
  auto read = read_elf(*opened);
  if (const Problem* problem = std::get_if<Problem>(&read)) {
    found.searched.push_back(path + " (" + problem->message + ")");
    return false;
  }
  ElfFile& file = std::get<ElfFile>(read);
  if (file.machine != asker.file->machine) {
    found.searched.push_back(path + " (for " + elf_machine_name(file.machine) + ")");
    return false;
  }
  found.path = path;
  found.file = std::move(file);
  return true;
}

bool LibrarySearch::look_in(const std::string& folder, const std::string& label, const std::string& name,
                            const LibraryAsker& asker, FoundLibrary& found) const {
  found.searched.push_back(label);
  found.searched_folders.push_back(folder);
  const std::string start = folder.empty() || folder.back() == '/' ? folder : folder + "/";
  for (const std::string& hardware : hardware_folders_) {
    const std::string path = start + hardware + name;
    if (exists(path) && look_at(path, asker, found)) return true;
  }
  return look_at(start + name, asker, found);
}

bool LibrarySearch::look_in_list(std::string_view list, std::string_view label, const std::string& owner_path,
                                 const std::string& name, const LibraryAsker& asker,
                                 FoundLibrary& found) const {
  while (true) {
    const std::size_t end = list.find(':');
    const std::string given(list.substr(0, end));
    const std::string folder = given.empty() ? "." : expand(given, owner_path);
    std::string place = std::string(label) + " " + folder;
    if (folder != given) place += " (written " + (given.empty() ? "as nothing" : given) + ")";
    if (look_in(folder, place, name, asker, found)) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
}

FoundLibrary LibrarySearch::find(const std::string& name, const LibraryAsker& asker) const {
  FoundLibrary found;
  if (const auto loaded = find_loaded_library(name)) {
    found.already_loaded = true;
    look_at(*loaded, asker, found);
    found.path = *loaded;
    return found;
  }
  if (name.find('/') != std::string::npos) {
    const std::string path = expand(name, asker.path);
    found.searched.push_back(path);
    look_at(path, asker, found);
    return found;
  }
  if (asker.file->run_path.empty()) {
    for (const LibraryAsker* each = &asker; each != nullptr; each = each->asked_by) {
      if (each->file->rpath.empty() || !each->file->run_path.empty()) continue;
      if (look_in_list(each->file->rpath, "RPATH", each->path, name, asker, found)) return found;
    }
  }
  if (!library_path_ || library_path_->empty()) {
    found.searched.emplace_back("LD_LIBRARY_PATH (not set)");
  } else if (look_in_list(*library_path_, "LD_LIBRARY_PATH", asker.path, name, asker, found)) {
    return found;
  }
  if (!asker.file->run_path.empty() &&
      look_in_list(asker.file->run_path, "RUNPATH", asker.path, name, asker, found)) {
    return found;
  }
  found.searched.emplace_back("ld.so.cache");
  for (const std::string& path : cache_.find(name)) {
    if (look_at(path, asker, found)) return found;
  }
  for (const std::string& folder : default_folders()) {
    if (look_in(folder, folder, name, asker, found)) return found;
  }
  return found;
}

}  // namespace tenure::inline TENURE_BUILD
