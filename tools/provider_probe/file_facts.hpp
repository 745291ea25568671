// SPDX-License-Identifier: Apache-2.0
// file_facts: what the core read of a file, in the form of the report.
#pragma once

#include "inspection.hpp"
#include "report.hpp"
#include "tenure/loader/file_report.hpp"

namespace tenure::probe {

// A result with the paths and the provider, and nothing judged.
FileResult file_result(const FileReport& report);
Inspection inspection_of(const FileReport& report);

}  // namespace tenure::probe
