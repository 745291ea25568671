// SPDX-License-Identifier: Apache-2.0
#include "finding.hpp"

#include <algorithm>
#include <array>

#include "rule.hpp"
#include "sentence.hpp"

namespace tenure::probe {

namespace {

constexpr std::array entries{
    Finding{.name = "file.found",
            .sentence = "The path leads to a file.",
            .if_ignored = "There is nothing to load.",
            .advice = "Give the path of the provider; names beside it that are similar are shown.",
            .exit_code = ExitCode::not_a_provider},
    Finding{.name = "file.regular",
            .sentence = "The path leads to a regular file, not to a folder or a device.",
            .if_ignored = "Reading it might never end.",
            .advice = "Give the path of the provider's file.",
            .exit_code = ExitCode::not_a_provider},
    Finding{.name = "file.readable",
            .sentence = "This user may read the file.",
            .if_ignored = "It cannot be loaded, and nothing can be said about it.",
            .advice = "Give the user of the process the right to read the file and to enter its folders.",
            .exit_code = ExitCode::not_a_provider},
    Finding{.name = "file.elf",
            .sentence = "The file is an ELF file.",
            .if_ignored = "It cannot be loaded.",
            .advice = "Give the path of the shared object, not of a linker script or an archive.",
            .exit_code = ExitCode::not_a_provider},
    Finding{.name = "file.complete",
            .sentence = "The file is whole: nothing in it points beyond its end.",
            .if_ignored = "The process ends when it touches the part that is missing.",
            .advice = "Copy or build the file again.",
            .exit_code = ExitCode::not_a_provider},
    Finding{.name = "file.noexec",
            .sentence = "The file lies on a file system from which code may run.",
            .if_ignored = "It cannot be loaded.",
            .advice = "Copy the provider to a file system that is not mounted noexec.",
            .exit_code = ExitCode::refused},
    Finding{.name = "file.owner-mode",
            .sentence = "Only root and this user can change the file.",
            .if_ignored = "Somebody else can let this process run other code.",
            .advice = "Take the right to write from everybody but root and this user: chmod go-w.",
            .exit_code = ExitCode::refused},
    Finding{
        .name = "file.parents-writable",
        .sentence = "Only root and this user can change the folders above the file.",
        .if_ignored = "Somebody else can put another file in its place.",
        .advice = "Move the provider to a folder that others cannot write to, or chmod go-w what is named.",
        .exit_code = ExitCode::refused},
    Finding{.name = "file.duplicate-runtimes",
            .sentence = "No two libraries of one kind, such as OpenMP, come together.",
            .if_ignored = "Their threads and their memory do not know of each other.",
            .advice =
                "Link the provider to the library that is there already, or into itself with hidden symbols.",
            .exit_code = ExitCode::findings},
    Finding{.name = "load.alias",
            .sentence = "The alias that a load was given is a provider id.",
            .if_ignored = "Nobody could ask for the provider by its alias.",
            .advice = "Choose an alias of [a-z0-9.-], such as org.example.second.",
            .exit_code = ExitCode::usage},
    Finding{.name = "load.id-taken",
            .sentence = "No other file with the same provider id is loaded.",
            .if_ignored = "Two providers would answer to one name.",
            .advice = "Load one of the two, or give this one an alias in LoadOptions."},
    Finding{.name = "load.file-replaced",
            .sentence = "The file has not been replaced since it was loaded.",
            .if_ignored = "The process would go on with code that is in no file.",
            .advice = "Restart the process; a loaded file cannot be exchanged."},
    Finding{.name = "load.recheck",
            .sentence = "What was mapped is the file that was read.",
            .if_ignored = "Code runs that nobody has looked at.",
            .advice = "Restart the process, and replace files only while nobody loads them."},
    Finding{.name = "load.recursive",
            .sentence = "Loading the file does not load it again.",
            .if_ignored = "The load would wait for itself.",
            .advice = "Do not load providers from static initialisers or log sinks."},
};

}  // namespace

std::span<const Finding> findings() noexcept { return entries; }

ExitCode exit_code_of(const Problem& problem) noexcept {
  if (const Rule* rule = find_rule(problem.id)) return rule->exit_code;
  const auto found = std::ranges::find(entries, problem.id, &Finding::name);
  return found == entries.end() ? ExitCode::not_loadable : found->exit_code;
}

ReportProblem report_problem(const Problem& problem) {
  ReportProblem reported{.id = problem.id,
                         .severity = std::string(severity_name(problem.severity)),
                         .message = problem.message,
                         .hint = problem.hint,
                         .evidence = {}};
  if (!problem.wanted.empty()) reported.evidence.push_back(sentence("wanted: ", problem.wanted));
  if (!problem.found.empty()) reported.evidence.push_back(sentence("found: ", problem.found));
  return reported;
}

}  // namespace tenure::probe
