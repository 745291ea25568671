// SPDX-License-Identifier: Apache-2.0
#include "loader/path_policy.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

namespace {

// A sticky folder is writable too: others cannot remove what is in it, but they can be there first.
void look_at(const std::string& path, std::vector<PathFinding>& findings) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) {
    findings.push_back({path, path + " cannot be looked at"});
    return;
  }
  if (facts.st_uid != 0 && facts.st_uid != ::geteuid()) {
    findings.push_back({path, path + " belongs to user " + std::to_string(facts.st_uid)});
  }
  if ((facts.st_mode & S_IWOTH) != 0) {
    findings.push_back({path, path + " is writable by everybody"});
  } else if ((facts.st_mode & S_IWGRP) != 0) {
    findings.push_back({path, path + " is writable by group " + std::to_string(facts.st_gid)});
  }
}

}  // namespace

std::string_view path_policy_name(PathPolicy policy) noexcept {
  constexpr std::array<std::string_view, 3> names{"off", "warn", "strict"};
  const auto index = static_cast<std::size_t>(policy);
  return index < names.size() ? names[index] : "unknown";
}

std::vector<PathFinding> path_policy_findings(const std::string& real_path) {
  std::vector<PathFinding> findings;
  std::filesystem::path path(real_path);
  look_at(path.string(), findings);
  while (path.has_relative_path()) {
    path = path.parent_path();
    look_at(path.string(), findings);
  }
  return findings;
}

std::vector<Problem> path_policy_problems(const std::vector<PathFinding>& findings,
                                          const std::string& real_path, PathPolicy policy) {
  Problem of_file{
      .id = "file.owner-mode",
      .severity = policy == PathPolicy::strict ? Severity::error : Severity::warning,
      .stage = LoadStage::policy,
      .code = TENURE_PERMISSION_DENIED,
      .culprit = {},
      .wanted = "a file and folders that only root and user " + std::to_string(::geteuid()) + " can change",
      .found = {},
      .searched = {},
      .message = {},
      .hint = "Move the file to a folder that others cannot write to, or chmod go-w what is named."};
  Problem of_folders = of_file;
  of_folders.id = "file.parents-writable";
  for (const PathFinding& finding : findings) {
    Problem& problem = finding.path == real_path ? of_file : of_folders;
    if (problem.culprit.empty()) problem.culprit = finding.path;
    problem.found.append(problem.found.empty() ? "" : ", ").append(finding.what);
  }
  std::vector<Problem> problems;
  for (Problem* problem : {&of_file, &of_folders}) {
    if (problem->culprit.empty()) continue;
    problem->message = "others could change what is loaded: " + problem->found;
    problems.push_back(std::move(*problem));
  }
  return problems;
}

}  // namespace tenure::inline TENURE_BUILD
