// SPDX-License-Identifier: Apache-2.0
// file_rules: what the bytes of a provider's file say, without running any of its code.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "rule.hpp"
#include "sentence.hpp"
#include "tenure/loader/file_report.hpp"
#include "tenure/provider_abi.h"

namespace tenure::probe {

namespace {

FileVerdict failed(std::string message) { return {Verdict::failed, std::move(message)}; }

// Fails for what the loader says under the rule's name.
FileVerdict judge_by_loader(const Rule& rule, const FileReport& report) {
  const auto found = std::ranges::find(report.problems, rule.name, &Problem::id);
  return found == report.problems.end() ? FileVerdict{} : failed(found->message);
}

// The same for rules under whose name the loader also gives advice.
FileVerdict judge_by_loader_errors(const Rule& rule, const FileReport& report) {
  const auto found = std::ranges::find_if(report.problems, [&](const Problem& problem) {
    return problem.id == rule.name && problem.severity == Severity::error;
  });
  return found == report.problems.end() ? FileVerdict{} : failed(found->message);
}

FileVerdict exports_one(const Rule&, const FileReport& report) {
  if (!report.exports_entry) return failed(sentence("the file does not export ", TENURE_ENTRY_SYMBOL));
  const auto& unique = report.elf->unique_symbols;
  for (const std::string& name : report.elf->exports) {
    // Unique symbols are always exported and have a rule of their own; other entries are other major
    // versions'.
    const bool is_unique = std::ranges::find(unique, name) != unique.end();
    if (!is_unique && !name.starts_with("tenure_provider_entry_v")) {
      return failed(sentence("the file exports ", name, " besides its entry"));
    }
  }
  return {};
}

FileVerdict initialisers(const Rule& rule, const FileReport& report) {
  if (report.elf->sanitizers != 0) return {Verdict::skipped, "a sanitizer adds initialisers of its own"};
  return judge_by_loader(rule, report);
}

constexpr std::array rules{
    Rule{.name = "file.elf-machine",
         .sentence = "The file is for the machine that the host runs on.",
         .if_ignored = "It cannot be loaded.",
         .advice = "Build the provider for this machine.",
         .reach = RuleReach::file,
         .exit_code = ExitCode::incompatible,
         .judge = judge_by_loader},
    Rule{
        .name = "file.type-dyn",
        .sentence = "The file is a shared object.",
        .if_ignored = "It cannot be loaded; a program would even seem to be, as a handle of the host itself.",
        .advice = "Link with -shared.",
        .reach = RuleReach::file,
        .exit_code = ExitCode::not_a_provider,
        .needs = {"file.elf-machine"},
        .judge = judge_by_loader},
    Rule{.name = "file.note.aligned",
         .sentence = "The segment of the identity card is aligned to 4 bytes.",
         .if_ignored = "Readers of notes find other bytes than were written.",
         .advice = "Write the card with TENURE_NOTE, and no other note with a greater alignment.",
         .reach = RuleReach::file,
         .exit_code = ExitCode::not_a_provider,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
    Rule{.name = "file.note.present",
         .sentence = "The file carries its identity card, whole and well formed.",
         .if_ignored = "The host would have to run code of a stranger to learn what it is.",
         .advice = "Write TENURE_NOTE once, at file scope.",
         .reach = RuleReach::file,
         .exit_code = ExitCode::not_a_provider,
         .needs = {"file.note.aligned"},
         .judge = judge_by_loader},
    Rule{.name = "file.abi-version",
         .sentence = "The provider was built for the host's ABI major, and needs no newer minor.",
         .if_ignored = "The host calls functions that mean something else.",
         .advice = "Build against the SDK of the host, or update the host.",
         .reach = RuleReach::file,
         .exit_code = ExitCode::incompatible,
         .needs = {"file.note.present"},
         .judge = judge_by_loader_errors},
    Rule{.name = "file.isa-level",
         .sentence = "The whole file runs on the instruction set of this machine.",
         .if_ignored = "The process ends with an illegal instruction.",
         .advice = "Build for a lower level, and choose faster code at run time.",
         .reach = RuleReach::file,
         .exit_code = ExitCode::incompatible,
         .needs = {"file.note.present"},
         .judge = judge_by_loader},
    Rule{.name = "file.sanitizer",
         .sentence = "The provider was built with no sanitizer that the host lacks.",
         .if_ignored = "Mapping the file ends the process.",
         .advice = "Build both with the same sanitizer, or the provider without one.",
         .reach = RuleReach::file,
         .exit_code = ExitCode::incompatible,
         .needs = {"file.note.present"},
         .judge = judge_by_loader_errors},
    Rule{.name = "file.deps-resolved",
         .sentence = "Every library that the file needs is found.",
         .if_ignored = "It cannot be loaded.",
         .advice = "Install the library, put it beside the provider, or link it statically.",
         .reach = RuleReach::file,
         .exit_code = ExitCode::not_loadable,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
    Rule{.name = "file.symbols-resolved",
         .sentence = "Every symbol that the file needs is defined by a library that it names.",
         .if_ignored = "It cannot be loaded, or the process ends at the first call of the missing function.",
         .advice = "Link with -z defs, so that a missing symbol is found when linking.",
         .reach = RuleReach::file,
         .exit_code = ExitCode::not_loadable,
         .needs = {"file.deps-resolved"},
         .judge = judge_by_loader},
    Rule{.name = "file.exports-one",
         .sentence = "The file exports its entry and nothing else.",
         .if_ignored = "Symbols of two providers are taken for one another.",
         .advice = "Hide all symbols and link with a version script; tenure_add_provider does both.",
         .reach = RuleReach::file,
         .needs = {"file.type-dyn"},
         .judge = exports_one},
    Rule{.name = "file.no-core-symbols",
         .sentence = "The file needs no symbol of Tenure's library.",
         .if_ignored = "The provider breaks with the next release of the host.",
         .advice = "Include the contract, tenure/abi and tenure/sdk only, and link nothing of Tenure.",
         .reach = RuleReach::file,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
    Rule{.name = "file.no-gnu-unique",
         .sentence = "The file has no symbol that the whole process shares by its name.",
         .if_ignored = "Static variables of two providers are one.",
         .advice = "Compile with -fno-gnu-unique and hidden visibility.",
         .reach = RuleReach::file,
         .weight = RuleWeight::warning,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
    Rule{.name = "file.execstack",
         .sentence = "The file asks for no executable stack.",
         .if_ignored = "The whole process loses a protection, and newer systems refuse the file.",
         .advice = "Link with -z noexecstack; an assembler source needs a .note.GNU-stack section.",
         .reach = RuleReach::file,
         .exit_code = ExitCode::not_loadable,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
    Rule{.name = "file.textrel",
         .sentence = "The code of the file has no relocations.",
         .if_ignored = "Hardened systems refuse the file.",
         .advice = "Compile every source with -fPIC.",
         .reach = RuleReach::file,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
    Rule{.name = "file.static-tls",
         .sentence = "The file asks for no thread-local memory that is set aside when a program starts.",
         .if_ignored = "It cannot be loaded into a process in which little of that is left.",
         .advice = "Compile without -ftls-model=initial-exec.",
         .reach = RuleReach::file,
         .weight = RuleWeight::warning,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
    Rule{.name = "file.relro-now",
         .sentence = "The tables of addresses are read-only once the file is loaded.",
         .if_ignored = "A stray write changes which function is called.",
         .advice = "Link with -z relro -z now.",
         .reach = RuleReach::file,
         .weight = RuleWeight::warning,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
    Rule{.name = "file.build-id",
         .sentence = "The file has a build id.",
         .if_ignored = "Two builds look alike in reports.",
         .advice = "Link with --build-id.",
         .reach = RuleReach::file,
         .weight = RuleWeight::warning,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
    Rule{.name = "file.initialisers",
         .sentence = "No code of the file runs when it is mapped.",
         .if_ignored = "Code runs before the host has checked anything, and what it throws ends the process.",
         .advice = "Make objects of namespace scope constexpr, or move them into open.",
         .reach = RuleReach::file,
         .weight = RuleWeight::warning,
         .needs = {"file.type-dyn"},
         .judge = initialisers},
    Rule{.name = "file.runpath-origin",
         .sentence = "The file looks for its libraries by RUNPATH, not by RPATH.",
         .if_ignored = "A user cannot choose another library with LD_LIBRARY_PATH.",
         .advice = "Link with --enable-new-dtags.",
         .reach = RuleReach::file,
         .weight = RuleWeight::warning,
         .needs = {"file.type-dyn"},
         .judge = judge_by_loader},
};

}  // namespace

std::span<const Rule> file_rules() noexcept { return rules; }

}  // namespace tenure::probe
