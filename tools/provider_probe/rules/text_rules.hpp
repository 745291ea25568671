// SPDX-License-Identifier: Apache-2.0
// text_rules: what the contract asks of strings.
#pragma once

#include <string_view>

namespace tenure::probe {

// Whether the bytes are well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text) noexcept;
// Whether it is one or more of [a-z0-9.-].
bool is_provider_id(std::string_view text) noexcept;

}  // namespace tenure::probe
