// SPDX-License-Identifier: Apache-2.0
// utf8: whether bytes from a provider can be shown to a person.
#pragma once

#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Well-formed UTF-8 (shortest forms, no surrogates, up to U+10FFFF) without control characters.
bool is_printable_utf8(std::string_view text) noexcept;

}  // namespace tenure::inline TENURE_BUILD
