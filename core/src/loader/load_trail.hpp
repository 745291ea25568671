// SPDX-License-Identifier: Apache-2.0
// load_trail: the steps of a load in the log, when TENURE_LOADER_DEBUG asks for them.
#pragma once

#include <string>

#include "tenure/config.h"
#include "tenure/loader/load_stage.hpp"

namespace tenure::inline TENURE_BUILD {

// TENURE_LOADER_DEBUG is "all" or names of stages, "policy,dependencies". A privileged process ignores it
// and says so.
class LoadTrail {
 public:
  LoadTrail();
  // Logs the step, at level info, if it is wanted.
  void add(const LoadStep& step) const;

 private:
  std::string wanted_;
};

bool trail_wants(const std::string& wanted, LoadStage stage);

}  // namespace tenure::inline TENURE_BUILD
