// SPDX-License-Identifier: Apache-2.0
// file_reports: what inspect_file says of a file of the test's choice.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "fixtures.hpp"
#include "provider_bytes.hpp"
#include "temporary_folder.hpp"
#include "tenure/loader/file_report.hpp"

namespace tenure_test {

// Without a policy: the folders of a build may be anybody's.
inline tenure::FileReport inspect(const std::filesystem::path& path) {
  return tenure::inspect_file(path, {.policy = tenure::PathPolicy::off, .alias = {}});
}

// The error that keeps this file from being loaded.
inline tenure::Problem error_of(const std::filesystem::path& path) {
  const tenure::FileReport report = inspect(path);
  REQUIRE(report.first_error() != nullptr);
  CHECK_FALSE(report.first_error()->hint.empty());
  return *report.first_error();
}

// The same for a good provider whose bytes were changed.
inline tenure::Problem error_after(auto change) {
  const TemporaryFolder folder;
  ProviderBytes bytes(fixture("good"));
  change(bytes);
  return error_of(bytes.write(folder / "bent.so"));
}

// Null when the report has no problem of this rule.
inline const tenure::Problem* find(const tenure::FileReport& report, std::string_view id) {
  const auto at = std::ranges::find(report.problems, id, &tenure::Problem::id);
  return at == report.problems.end() ? nullptr : &*at;
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace tenure_test
