// SPDX-License-Identifier: Apache-2.0
// number_list: extents, strides and indices as the texts of errors show them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tenure/base/index_pair.hpp"

namespace tenure::inline TENURE_BUILD {

// "[2, 3]", "[]"
std::string text_of(std::span<const std::int64_t> numbers);
inline std::string text_of(const ElementIndex& index) { return text_of({index.data(), index.size()}); }

}  // namespace tenure::inline TENURE_BUILD
