// SPDX-License-Identifier: Apache-2.0
// code_place: a call in somebody's source code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Refers to text that lives as long as the program. Empty parts are not known.
struct CodePlace {
  std::string_view operation;  // that was called
  std::string_view file;
  std::uint32_t line = 0;
};

// Such as "as_view at program.cpp:12".
TENURE_API std::string text_of(const CodePlace& place);

}  // namespace tenure::inline TENURE_BUILD
