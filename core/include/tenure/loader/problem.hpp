// SPDX-License-Identifier: Apache-2.0
// problem: one thing that is wrong with a provider file or with loading it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// The steps of a load, in order.
enum class LoadStage : int {
  path = 1,           // to a real absolute path
  policy = 2,         // who could have changed the file
  file = 3,           // the ELF file itself
  note = 4,           // the identity card
  compatibility = 5,  // ABI, instruction set, sanitizer
  dependencies = 6,   // needed libraries and symbols
  identity = 7,       // is it loaded already
  open = 8,           // dlopen
  recheck = 9,        // what was mapped is what was read
  entry = 10,         // the provider's entry function
  table = 11,         // the tables that it gave
  publish = 12,       // its id is taken, or it is registered
};

TENURE_API std::string_view load_stage_name(LoadStage stage) noexcept;

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
