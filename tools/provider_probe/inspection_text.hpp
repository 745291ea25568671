// SPDX-License-Identifier: Apache-2.0
// inspection_text: an inspection for people.
#pragma once

#include "report.hpp"
#include "text_block.hpp"

namespace tenure::probe {

// Appends the inspection of `file`, which has one.
void add_inspection(TextBlock& block, const FileResult& file);

}  // namespace tenure::probe
