// SPDX-License-Identifier: Apache-2.0
#include "loader/file_inspection.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>
#include <variant>

#include "loader/brought_runtimes.hpp"
#include "loader/compatibility.hpp"
#include "loader/elf_rules.hpp"
#include "loader/library_graph.hpp"
#include "loader/memory_map.hpp"
#include "loader/path_policy.hpp"
#include "loader/path_resolution.hpp"
#include "loader/provider_note.hpp"
#include "loader/similar_names.hpp"
#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

namespace {

Problem file_problem(std::string_view id, std::int32_t code, std::string message, std::string hint) {
  return {.id = std::string(id),
          .stage = LoadStage::file,
          .code = code,
          .culprit = {},
          .wanted = "a regular file that this process can read",
          .found = {},
          .searched = {},
          .message = std::move(message),
          .hint = std::move(hint)};
}

std::string abi_text(unsigned major, unsigned minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

class Inspection {
 public:
  Inspection(const std::filesystem::path& given, const LoadOptions& options)
      : policy_(options.policy.value_or(default_path_policy(process_is_privileged()))) {
    report_.path_given = given.string();
    const HostFacts host = host_facts();
    report_.host_abi_major = host.abi_major;
    report_.host_abi_minor = host.abi_minor;
    report_.cpu_isa_level = host.isa_level;
    report_.host_sanitizers = host.sanitizers;
    run(given);
  }

  FileInspection result() && { return {std::move(report_), std::move(file_)}; }

 private:
  void step(LoadStage stage, std::string decision) { report_.steps.push_back({stage, std::move(decision)}); }

  void add(Problem problem) {
    step(problem.stage,
         std::string(severity_name(problem.severity)) + " " + problem.id + ": " + problem.message);
    report_.problems.push_back(std::move(problem));
  }
  void add_all(std::vector<Problem> problems) {
    for (Problem& problem : problems) add(std::move(problem));
  }

  // Each answers whether it makes sense to go on.
  void run(const std::filesystem::path& given) {
    if (!find(given)) return;
    apply_policy();
    if (!open()) return;
    auto read = read_elf(*file_);
    if (Problem* problem = std::get_if<Problem>(&read)) {
      add(std::move(*problem));
      return;
    }
    const ElfFile& elf = std::get<ElfFile>(read);
    report_.elf = summarise(elf);
    if (!check_kind(elf)) return;
    check_card(elf);
    check_libraries(elf);
  }

  bool find(const std::filesystem::path& given) {
    auto resolved = resolve_path(given);
    if (Problem* problem = std::get_if<Problem>(&resolved)) {
      add(std::move(*problem));
      return false;
    }
    report_.path_real = std::get<std::string>(resolved);
    step(LoadStage::path, report_.path_real + " (given as " + report_.path_given + ")");
    return true;
  }

  void apply_policy() {
    const auto findings = path_policy_findings(report_.path_real);
    for (const PathFinding& finding : findings) report_.policy_findings.push_back(finding.what);
    step(LoadStage::policy, "policy " + std::string(path_policy_name(policy_)) + ": " +
                                (findings.empty() ? "only root and this user can change the file"
                                                  : "others can change the file or its folders"));
    if (policy_ != PathPolicy::off) add_all(path_policy_problems(findings, report_.path_real, policy_));
  }

  bool open() {
    file_ = OpenedFile::open(report_.path_real);
    if (!file_) {
      const int reason = errno;
      add(file_problem("file.readable", reason == EACCES ? TENURE_PERMISSION_DENIED : TENURE_UNAVAILABLE,
                       "the file cannot be opened by user " + std::to_string(::geteuid()) + ": " +
                           std::generic_category().message(reason),
                       "Give the user of this process the right to read it."));
      return false;
    }
    report_.file_bytes = file_->size_bytes();
    report_.device = file_->identity().device;
    report_.inode = file_->identity().inode;
    if (!file_->is_regular()) {
      add_not_regular();
      return false;
    }
    struct statvfs mount {};
    if (::fstatvfs(file_->descriptor(), &mount) == 0 && (mount.f_flag & ST_NOEXEC) != 0) {
      add(file_problem("file.noexec", TENURE_PERMISSION_DENIED,
                       "the file is on a file system that is mounted noexec, from which no code runs",
                       "Copy the provider to another file system."));
    }
    return true;
  }

  void add_not_regular() {
    Problem problem =
        file_problem("file.regular", TENURE_INVALID_ARGUMENT,
                     file_->is_directory() ? "this is a folder, not a file" : "this is not a regular file",
                     "Give the path of the provider's file.");
    if (file_->is_directory()) problem.hint = "Give the path of the provider's file in it.";
    add(std::move(problem));
  }

  bool check_kind(const ElfFile& elf) {
    const auto own = OpenedFile::open("/proc/self/exe");
    auto problems = check_elf_kind(elf, own && own->identity() == file_->identity());
    const bool fits = problems.empty();
    add_all(std::move(problems));
    if (!fits) return false;
    const std::string& build_id = report_.elf->build_id;
    step(LoadStage::file, report_.elf->type + " for " + report_.elf->machine + ", " +
                              std::to_string(report_.file_bytes) + " bytes, build id " +
                              (build_id.empty() ? "none" : build_id));
    add_all(check_elf_linking(elf));
    return true;
  }

  void check_card(const ElfFile& elf) {
    report_.exports_entry = elf.defines(TENURE_ENTRY_SYMBOL);
    auto read = read_identity_card(elf);
    if (Problem* problem = std::get_if<Problem>(&read)) {
      add(std::move(*problem));
      return;
    }
    report_.card = std::get<IdentityCard>(std::move(read));
    step(LoadStage::note, report_.card->id + " " + report_.card->version);
    // The card speaks for the source that it is written in, and other sources may have been built otherwise.
    IdentityCard card = *report_.card;
    card.sanitizers |= report_.elf->sanitizers;
    auto problems = check_compatibility(card, host_facts());
    for (Problem& problem : check_exports(elf)) problems.push_back(std::move(problem));
    step(LoadStage::compatibility,
         "built for ABI " + abi_text(report_.card->abi_major, report_.card->abi_minor) + ", needs host " +
             abi_text(report_.card->abi_major, report_.card->host_minor_min) + ", this host has " +
             abi_text(report_.host_abi_major, report_.host_abi_minor));
    add_all(std::move(problems));
  }

  void check_libraries(const ElfFile& elf) {
    const LibraryGraph graph(elf, report_.path_real);
    for (const auto& library : graph.libraries()) {
      const NeededLibrary& needed = library->needed;
      step(LoadStage::dependencies,
           needed.name + ": " +
               (needed.path.empty() ? "not found"
                                    : needed.path + (needed.already_loaded ? " (already loaded)" : "")));
      report_.needed.push_back(needed);
    }
    add_all(graph.problems());
    report_.runtimes = brought_runtimes(report_.needed);
    add_all(duplicate_runtimes(report_.runtimes, read_memory_map()));
  }

  PathPolicy policy_;
  FileReport report_;
  std::optional<OpenedFile> file_;
};

}  // namespace

FileInspection inspect_and_keep_open(const std::filesystem::path& path, const LoadOptions& options) {
  return Inspection(path, options).result();
}

FileReport inspect_file(const std::filesystem::path& path, const LoadOptions& options) {
  return inspect_and_keep_open(path, options).report;
}

const Problem* FileReport::first_error() const noexcept {
  const auto at = std::ranges::find(problems, Severity::error, &Problem::severity);
  return at == problems.end() ? nullptr : &*at;
}

}  // namespace tenure::inline TENURE_BUILD
