// SPDX-License-Identifier: Apache-2.0
// byte_text: numbers and texts as people read them in a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tenure::pool_report {

// "1.5 MiB"; at most three digits that matter.
std::string byte_text(std::uint64_t bytes);
// "1,234,567"
std::string count_text(std::uint64_t count);
// For a coordinate: one digit behind the point.
std::string coordinate_text(double value);
// Text that a browser shows as it is.
std::string html_text(std::string_view text);

}  // namespace tenure::pool_report
