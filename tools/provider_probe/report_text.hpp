// SPDX-License-Identifier: Apache-2.0
// report_text: a report for people.
#pragma once

#include <cstddef>
#include <string>

#include "report.hpp"

namespace tenure::probe {

// Lines of at most `width` columns, where words allow it; no colour.
std::string to_text(const Report& report, std::size_t width);

}  // namespace tenure::probe
