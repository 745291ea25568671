// SPDX-License-Identifier: Apache-2.0
// plan: an instance as contractions of pairs, worked out once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../peer.hpp"
#include "instance.hpp"
#include "tenure/tenure.hpp"

namespace tenure::bench {

struct PlanStep {
  std::size_t left;
  std::size_t right;
  // Indices that are in one operand only and nowhere else afterwards are summed over first. Axes, maybe none.
  std::vector<std::int64_t> left_summed;
  std::vector<std::int64_t> right_summed;
  ContractOptions options;  // of what is left
};

struct Plan {
  std::vector<PlanStep> steps;
  std::vector<std::int64_t> last_summed;  // axes of the last result, before
  std::vector<std::int64_t> output_axes;  // of what is left, in the order of the output
};

Plan make_plan(const NetworkInstance& instance);
// The same steps for a peer, which has the axes of every tensor in reverse order. `tensors` are the inputs.
// Throws UsageError for a step with more indices than there are letters.
NetworkJob make_peer_job(const NetworkInstance& instance, std::vector<Array> tensors);

}  // namespace tenure::bench
