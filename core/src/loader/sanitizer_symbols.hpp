// SPDX-License-Identifier: Apache-2.0
// sanitizer_symbols: the functions that everything built with a sanitizer calls when it is mapped.
#pragma once

#include <array>
#include <cstdint>

#include "tenure/config.h"
#include "tenure/provider_note.h"

namespace tenure::inline TENURE_BUILD {

struct SanitizerSymbol {
  const char* name;
  std::uint32_t sanitizer;  // TENURE_SANITIZER_*
};

inline constexpr std::array sanitizer_symbols{
    SanitizerSymbol{"__asan_init", TENURE_SANITIZER_ADDRESS},
    SanitizerSymbol{"__tsan_init", TENURE_SANITIZER_THREAD},
    SanitizerSymbol{"__msan_init", TENURE_SANITIZER_MEMORY},
};

}  // namespace tenure::inline TENURE_BUILD
