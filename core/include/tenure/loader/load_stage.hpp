// SPDX-License-Identifier: Apache-2.0
// load_stage: the steps of a load, and what was decided at one of them.
#pragma once

#include <string>
#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// In order.
enum class LoadStage : int {
  path = 1,           // to a real absolute path
  policy = 2,         // who could have changed the file
  file = 3,           // the ELF file itself
  note = 4,           // the identity card
  compatibility = 5,  // ABI, instruction set, sanitizer, entry symbol
  dependencies = 6,   // needed libraries and symbols
  identity = 7,       // is the file loaded already, is its id taken
  open = 8,           // dlopen
  recheck = 9,        // what was mapped is what was read
  entry = 10,         // the provider's entry function
  table = 11,         // the tables that it gave
  publish = 12,       // it is registered
};

TENURE_API std::string_view load_stage_name(LoadStage stage) noexcept;

// One thing that was looked at, and what was decided.
struct LoadStep {
  LoadStage stage = LoadStage::path;
  std::string decision;
};

}  // namespace tenure::inline TENURE_BUILD
