// SPDX-License-Identifier: Apache-2.0
#include "finding.hpp"

#include <algorithm>
#include <array>

#include "rule.hpp"
#include "sentence.hpp"

namespace tenure::probe {

namespace {

constexpr std::array entries{
    Finding{"file.found", "The path leads to a file.", ExitCode::not_a_provider},
    Finding{"file.regular", "The path leads to a regular file, not to a folder or a device.",
            ExitCode::not_a_provider},
    Finding{"file.readable", "This user may read the file.", ExitCode::not_a_provider},
    Finding{"file.elf", "The file is an ELF file.", ExitCode::not_a_provider},
    Finding{"file.complete", "The file is whole: nothing in it points beyond its end.",
            ExitCode::not_a_provider},
    Finding{"file.noexec", "The file lies on a file system from which code may run.", ExitCode::refused},
    Finding{"file.owner-mode", "Only root and this user can change the file.", ExitCode::refused},
    Finding{"file.parents-writable", "Only root and this user can change the folders above the file.",
            ExitCode::refused},
    Finding{"file.duplicate-runtimes", "No two libraries of one kind, such as OpenMP, come together.",
            ExitCode::findings},
    Finding{"load.alias", "The alias that a load was given is a provider id.", ExitCode::usage},
    Finding{"load.id-taken", "No other file with the same provider id is loaded."},
    Finding{"load.file-replaced", "The file has not been replaced since it was loaded."},
    Finding{"load.recheck", "What was mapped is the file that was read."},
    Finding{"load.recursive", "Loading the file does not load it again."},
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
