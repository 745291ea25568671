// SPDX-License-Identifier: Apache-2.0
// problem: one thing that is wrong with a provider file or with loading it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tenure/config.h"
#include "tenure/loader/load_stage.hpp"

namespace tenure::inline TENURE_BUILD {

enum class Severity : int {
  note = 0,
  warning = 1,
  error = 2,  // the file will not be loaded
};

TENURE_API std::string_view severity_name(Severity severity) noexcept;

struct Problem {
  std::string id;  // the name of the rule, "file.deps-resolved"
  Severity severity = Severity::error;
  LoadStage stage = LoadStage::path;
  std::int32_t code = 0;  // TENURE_*
  std::string culprit;    // the file, library, symbol or field that is to blame
  std::string wanted;
  std::string found;
  std::vector<std::string> searched;  // the places that were looked at, in order
  std::string message;                // sentences for a person, without the path of the provider
  std::string hint;                   // one thing to do
};

}  // namespace tenure::inline TENURE_BUILD
