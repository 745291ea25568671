// SPDX-License-Identifier: Apache-2.0
#include "loader/load_trail.hpp"

#include <cstdlib>

#include "loader/process_facts.hpp"
#include "tenure/base/log.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

constexpr const char* variable = "TENURE_LOADER_DEBUG";

}  // namespace

bool trail_wants(const std::string& wanted, LoadStage stage) {
  if (wanted == "all") return true;
  return ("," + wanted + ",").find("," + std::string(load_stage_name(stage)) + ",") != std::string::npos;
}

LoadTrail::LoadTrail() {
  if (const auto value = trusted_environment(variable)) {
    wanted_ = *value;
  } else if (std::getenv(variable) != nullptr) {
    log(LogLevel::warning,
        std::string(variable) + " is ignored, as this process has more rights than its user");
  }
}

void LoadTrail::add(const LoadStep& step) const {
  if (wanted_.empty() || !trail_wants(wanted_, step.stage)) return;
  log(LogLevel::info, "load " + std::string(load_stage_name(step.stage)) + ": " + step.decision);
}

}  // namespace tenure::inline TENURE_BUILD
