// SPDX-License-Identifier: Apache-2.0
#include "loader/path_resolution.hpp"

#include <stdlib.h>

#include <cerrno>
#include <memory>
#include <system_error>

#include "loader/similar_names.hpp"
#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

namespace {

namespace fs = std::filesystem;

Problem path_problem(std::string_view id, std::int32_t code, std::string culprit, std::string message,
                     std::string hint) {
  return {.id = std::string(id),
          .stage = LoadStage::path,
          .code = code,
          .culprit = std::move(culprit),
          .wanted = "the path of a provider's file",
          .found = {},
          .searched = {},
          .message = std::move(message),
          .hint = std::move(hint)};
}

// The first part of the path that does not exist, a link to nowhere included.
fs::path first_missing(const fs::path& absolute) {
  fs::path so_far;
  for (const fs::path& part : absolute) {
    so_far /= part;
    std::error_code error;
    if (!fs::exists(so_far, error)) break;
  }
  return so_far;
}

Problem not_found(const fs::path& absolute) {
  const fs::path missing = first_missing(absolute);
  std::error_code error;
  const fs::path target = fs::read_symlink(missing, error);
  if (!error) {
    return path_problem("file.found", TENURE_NOT_FOUND, missing.string(),
                        missing.string() + " is a link to " + target.string() + ", which does not exist",
                        "Correct the link.");
  }
  const auto similar = similar_files(missing.parent_path().string(), missing.filename().string());
  Problem problem =
      path_problem("file.found", TENURE_NOT_FOUND, missing.string(),
                   (missing == absolute ? "the file " : "the folder ") + missing.string() + " does not exist",
                   "Correct the path.");
  problem.searched = {missing.parent_path().string()};
  if (!similar.empty()) {
    problem.message += ". Similar:";
    for (const std::string& path : similar) problem.message += " " + path;
  }
  return problem;
}

}  // namespace

std::variant<std::string, Problem> resolve_path(const fs::path& given) {
  if (given.empty()) {
    return path_problem("file.found", TENURE_INVALID_ARGUMENT, {}, "the path is empty", "Give a path.");
  }
  if (given.native().find('\0') != std::string::npos) {
    return path_problem("file.found", TENURE_INVALID_ARGUMENT, {}, "the path holds a NUL byte",
                        "Correct the path.");
  }
  std::error_code error;
  const fs::path absolute = fs::absolute(given, error);
  if (error) {
    return path_problem("file.found", TENURE_NOT_FOUND, given.string(),
                        "the current directory, which the path starts from, is not there: " + error.message(),
                        "Give an absolute path.");
  }
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(absolute.c_str(), nullptr), &::free);
  if (real) return std::string(real.get());
  const int reason = errno;
  if (reason == ENOENT) return not_found(absolute);
  return path_problem(reason == EACCES ? "file.readable" : "file.found",
                      reason == EACCES ? TENURE_PERMISSION_DENIED : TENURE_INVALID_ARGUMENT,
                      absolute.string(),
                      "the path cannot be followed: " + std::generic_category().message(reason),
                      "Correct the path, or the permissions of its folders.");
}

}  // namespace tenure::inline TENURE_BUILD
