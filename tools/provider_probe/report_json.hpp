// SPDX-License-Identifier: Apache-2.0
// report_json: a report as a JSON document of the schema "tenure-probe/1", and back.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report.hpp"

namespace tenure::probe {

inline constexpr const char* report_schema = "tenure-probe/1";

// Keys stand in a fixed order. Everything that the text form says is in it.
nlohmann::ordered_json to_json(const Report& report);
// The report that `to_json` made `document` from. Throws ProbeFault on any other document.
Report report_from_json(const nlohmann::ordered_json& document);

}  // namespace tenure::probe
