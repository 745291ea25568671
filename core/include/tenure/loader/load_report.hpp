// SPDX-License-Identifier: Apache-2.0
// load_report: what happened when a provider was loaded, or was not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenure/config.h"
#include "tenure/loader/load_stage.hpp"
#include "tenure/loader/problem.hpp"
#include "tenure/loader/provider.hpp"

namespace tenure::inline TENURE_BUILD {

struct TENURE_API LoadReport {
  std::string path_given;
  std::string path_real;             // absolute, without links; empty when it could not be resolved
  std::vector<LoadStep> steps;       // every decision up to the end, in order
  std::vector<Problem> warnings;     // what did not keep the provider from being loaded
  std::optional<Problem> failure;    // why it was not loaded
  std::optional<Provider> provider;  // set exactly when there is no failure
  bool was_loaded = false;           // the same file had been loaded before; its provider is the answer
  bool stays_mapped = false;         // it failed after its code had been mapped, which cannot be undone

  bool ok() const noexcept { return provider.has_value(); }
  // The failure on one line, the path last; of a success, what was loaded.
  std::string summary() const;
  // The summary, the hint, the places searched and every step, for pasting into an issue.
  std::string text() const;
};

}  // namespace tenure::inline TENURE_BUILD
