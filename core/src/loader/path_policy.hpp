// SPDX-License-Identifier: Apache-2.0
// path_policy: who besides root and the user of this process could change a file.
#pragma once

#include <string>
#include <vector>

#include "tenure/config.h"
#include "tenure/loader/load_options.hpp"
#include "tenure/loader/problem.hpp"

namespace tenure::inline TENURE_BUILD {

struct PathFinding {
  std::string path;  // the file or one of the folders above it
  std::string what;  // "/tmp is writable by everybody"
};

// The file first, then its folders upwards; empty: nobody else can. `real_path` is absolute and without
// links.
std::vector<PathFinding> path_policy_findings(const std::string& real_path);

// At most one problem for the file and one for its folders: errors of a strict policy, warnings otherwise.
std::vector<Problem> path_policy_problems(const std::vector<PathFinding>& findings,
                                          const std::string& real_path, PathPolicy policy);

}  // namespace tenure::inline TENURE_BUILD
