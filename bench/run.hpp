// SPDX-License-Identifier: Apache-2.0
// run: measures the chosen cases.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

#include "case.hpp"
#include "setup.hpp"

namespace tenure::bench {

struct RunOptions {
  std::string filter;       // a regular expression that is searched for in the names; empty: all
  double time_min_s = 0.1;  // for each contender of each case
  std::size_t memory_max_bytes = std::size_t{8} << 30;  // cases that need more are left out
  std::optional<std::filesystem::path> json;
};

// The cases whose names match. Throws UsageError when none does, and for what is no regular expression.
CaseList chosen_cases(const CaseList& cases, const std::string& filter);
// Verifies and measures each, prints rows to `out` and progress to `progress`, and writes the JSON file.
// Throws Mismatch, UsageError for a file that cannot be written, and whatever an operation throws.
void run_cases(Setup& setup, const CaseList& cases, const RunOptions& options, std::ostream& out,
               std::ostream& progress);

}  // namespace tenure::bench
