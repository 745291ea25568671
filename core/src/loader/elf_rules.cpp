// SPDX-License-Identifier: Apache-2.0
#include "loader/elf_rules.hpp"

#include <elf.h>

#include <algorithm>
#include <string>

#include "loader/sanitizer_symbols.hpp"
#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

namespace {

Problem rule(std::string_view id, Severity severity, LoadStage stage, std::string message, std::string hint) {
  return {.id = std::string(id),
          .severity = severity,
          .stage = stage,
          .code = TENURE_FAILED_PRECONDITION,
          .culprit = {},
          .wanted = {},
          .found = {},
          .searched = {},
          .message = std::move(message),
          .hint = std::move(hint)};
}

// The compiler's own start-up code counts as one.
std::uint64_t own_initialisers(const ElfFile& file) {
  return file.initialisers == 0 ? 0 : file.initialisers - 1;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown_max = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown_max); ++i) {
    text.append(i == 0 ? "" : ", ").append(names[i]);
  }
  if (names.size() > shown_max) text += " and " + std::to_string(names.size() - shown_max) + " more";
  return text;
}

std::vector<std::string> names_where(const ElfFile& file, auto condition) {
  std::vector<std::string> names;
  for (const ElfSymbol& symbol : file.symbols) {
    if (condition(symbol)) names.emplace_back(symbol.name);
  }
  return names;
}

// "memcpy@GLIBC_2.14"
std::vector<std::string> undefined_names(const ElfFile& file) {
  std::vector<std::string> names;
  for (const ElfSymbol& symbol : file.symbols) {
    if (symbol.defined || symbol.weak) continue;
    names.emplace_back(symbol.name);
    if (!symbol.version.empty()) names.back().append("@").append(symbol.version);
  }
  return names;
}

std::uint32_t called_sanitizers(const ElfFile& file) {
  std::uint32_t sanitizers = 0;
  for (const ElfSymbol& symbol : file.symbols) {
    for (const SanitizerSymbol& start : sanitizer_symbols) {
      if (!symbol.defined && symbol.name == start.name) sanitizers |= start.sanitizer;
    }
  }
  return sanitizers;
}

// A C++ name that lives in namespace tenure.
bool is_core_name(std::string_view name) {
  for (const std::string_view start : {"_ZN6tenure", "_ZNK6tenure", "_ZTIN6tenure", "_ZTVN6tenure"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

void check_stack_and_threads(const ElfFile& file, std::vector<Problem>& problems) {
  if (file.wants_executable_stack()) {
    problems.push_back(rule("file.execstack", Severity::error, LoadStage::file,
                            "the file asks for an executable stack, which would take a protection from the "
                            "whole process, and which newer systems refuse",
                            "Link the provider with -z noexecstack; an assembler source needs a "
                            ".note.GNU-stack section."));
  }
  if (file.text_relocations) {
    problems.push_back(rule("file.textrel", Severity::warning, LoadStage::file,
                            "the file has relocations in its code, which hardened systems refuse",
                            "Compile every source of the provider with -fPIC."));
  }
  if (file.wants_static_tls()) {
    problems.push_back(
        rule("file.static-tls", Severity::warning, LoadStage::file,
             "the file asks for " + std::to_string(file.tls_bytes()) +
                 " bytes of thread-local memory that is set aside when a program starts; little "
                 "of that is left for files that come later",
             "Compile the provider without -ftls-model=initial-exec."));
  }
}

void check_symbols(const ElfFile& file, std::vector<Problem>& problems) {
  const auto unique = names_where(file, [](const ElfSymbol& s) { return s.defined && s.unique; });
  if (!unique.empty()) {
    problems.push_back(rule("file.no-gnu-unique", Severity::warning, LoadStage::file,
                            "the file has symbols that all files of the process share: " + listed(unique),
                            "Compile the provider with -fno-gnu-unique and hidden visibility."));
  }
  const auto core = names_where(file, [](const ElfSymbol& s) { return !s.defined && is_core_name(s.name); });
  if (!core.empty()) {
    problems.push_back(rule(
        "file.no-core-symbols", Severity::warning, LoadStage::file,
        "the file needs symbols of Tenure's library, which change from release to release: " + listed(core),
        "Include only tenure/provider_*.h, tenure/abi and tenure/sdk in a provider, and "
        "link nothing of Tenure."));
  }
}

void check_hardening(const ElfFile& file, std::vector<Problem>& problems) {
  if (file.find_segment(PT_GNU_RELRO) == nullptr || !file.bind_now) {
    problems.push_back(rule("file.relro-now", Severity::note, LoadStage::file,
                            "the file's tables of addresses stay writable after loading",
                            "Link the provider with -z relro -z now."));
  }
  if (file.build_id().empty()) {
    problems.push_back(rule("file.build-id", Severity::note, LoadStage::file,
                            "the file has no build id, so that two builds of it look alike in reports",
                            "Link the provider with --build-id."));
  }
  if (own_initialisers(file) != 0) {
    problems.push_back(
        rule("file.initialisers", Severity::note, LoadStage::file,
             "the file runs code when it is mapped, whose exceptions nobody can catch; it has " +
                 std::to_string(own_initialisers(file)) + " initialisers of its own",
             "Make objects of namespace scope constexpr, or move them into open."));
  }
  if (!file.needed.empty() && file.run_path.empty() && !file.rpath.empty()) {
    problems.push_back(rule("file.runpath-origin", Severity::note, LoadStage::file,
                            "the file has an RPATH, which LD_LIBRARY_PATH cannot override",
                            "Link the provider with --enable-new-dtags."));
  }
}

}  // namespace

std::vector<Problem> check_elf_kind(const ElfFile& file, bool is_own_executable) {
  std::vector<Problem> problems;
  const auto add = [&](std::string_view id, std::string wanted, std::string found, std::string message,
                       std::string hint) {
    Problem problem = rule(id, Severity::error, LoadStage::file, std::move(message), std::move(hint));
    problem.wanted = std::move(wanted);
    problem.found = std::move(found);
    problems.push_back(std::move(problem));
  };
  const std::string kind = elf_type_name(file);
  const std::string machine = elf_machine_name(file.machine);
  const std::string here = elf_machine_name(elf_machine_here());
  if (is_own_executable) {
    add("file.type-dyn", "a shared object", "the running program",
        "the file is the program that is running, not a provider", "Give the path of a provider.");
  } else if (file.machine != elf_machine_here()) {
    add("file.elf-machine", here, machine, "the file is for " + machine + "; this process runs on " + here,
        "Build the provider for " + here + ".");
  } else if (file.type == ET_REL) {
    add("file.type-dyn", "a shared object", kind, "the file is an object file, which is not linked yet",
        "Link it with -shared.");
  } else if (file.type != ET_DYN || file.is_executable()) {
    add("file.type-dyn", "a shared object", kind,
        "the file is a " + kind + ", which cannot be loaded into a process",
        "Link the provider with -shared.");
  } else if (!file.has_dynamic) {
    add("file.type-dyn", "a shared object", "a statically linked file",
        "the file has no dynamic section, so that nothing in it can be found",
        "Link the provider with -shared.");
  }
  return problems;
}

std::vector<Problem> check_elf_linking(const ElfFile& file) {
  std::vector<Problem> problems;
  check_stack_and_threads(file, problems);
  check_symbols(file, problems);
  check_hardening(file, problems);
  return problems;
}

std::vector<Problem> check_exports(const ElfFile& file) {
  std::vector<Problem> problems;
  constexpr std::string_view entry = TENURE_ENTRY_SYMBOL;
  constexpr std::string_view any_entry = "tenure_provider_entry_v";
  const auto exports = names_where(file, [](const ElfSymbol& s) { return s.defined; });
  if (!file.defines(entry)) {
    const auto other =
        std::ranges::find_if(exports, [&](const std::string& name) { return name.starts_with(any_entry); });
    Problem problem =
        rule("file.exports-one", Severity::error, LoadStage::compatibility,
             "the file has an identity card but does not export " + std::string(entry),
             "Define the entry function with TENURE_EXPORT, and let the linker's version script "
             "keep it.");
    problem.code = TENURE_NOT_FOUND;
    problem.wanted = entry;
    problem.found = other == exports.end() ? "no entry function" : *other;
    if (other != exports.end()) problem.message += "; it exports " + *other;
    problems.push_back(std::move(problem));
    return problems;
  }
  std::vector<std::string> others;
  std::ranges::copy_if(exports, std::back_inserter(others),
                       [&](const std::string& name) { return !name.starts_with(any_entry); });
  if (!others.empty()) {
    problems.push_back(
        rule("file.exports-one", Severity::note, LoadStage::compatibility,
             "the file exports more than its entry function: " + listed(others),
             "Build the provider with tenure_add_provider, or link it with a version script."));
  }
  return problems;
}

ElfSummary summarise(const ElfFile& file) {
  return {.machine = elf_machine_name(file.machine),
          .type = elf_type_name(file),
          .soname = std::string(file.soname),
          .run_path = std::string(file.run_path.empty() ? file.rpath : file.run_path),
          .build_id = file.build_id(),
          .executable_stack = file.wants_executable_stack(),
          .relro = file.find_segment(PT_GNU_RELRO) != nullptr,
          .bind_now = file.bind_now,
          .text_relocations = file.text_relocations,
          .static_tls = file.wants_static_tls(),
          .no_delete = (file.flags_1 & DF_1_NODELETE) != 0,
          .tls_bytes = file.tls_bytes(),
          .initialisers = own_initialisers(file),
          .sanitizers = called_sanitizers(file),
          .exports = names_where(file, [](const ElfSymbol& s) { return s.defined; }),
          .unique_symbols = names_where(file, [](const ElfSymbol& s) { return s.defined && s.unique; }),
          .undefined = undefined_names(file)};
}

}  // namespace tenure::inline TENURE_BUILD
