// SPDX-License-Identifier: Apache-2.0
#include "batch_work.hpp"

#include <string>

#include "tenure/sdk/error.hpp"

namespace tenure::cpu {
namespace {

[[noreturn]] void refuse(std::string_view operation, const char* policy, const std::string& why) {
  throw sdk::Error(TENURE_UNIMPLEMENTED, std::string(operation) + ": the batch policy " + policy +
                                             " wants several threads at work, but " + why);
}

}  // namespace

void require_batch_policy(const Executor& executor, const BatchWork& work, std::string_view operation) {
  if (executor.batch_policy > TENURE_BATCH_INNER) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, std::string(operation) + ": there is no batch policy " +
                                                  std::to_string(executor.batch_policy) +
                                                  "; expected auto, sequential, outer or inner");
  }
  if (executor.batch_policy < TENURE_BATCH_OUTER) return;
  const bool is_outer = executor.batch_policy == TENURE_BATCH_OUTER;
  const char* const policy = is_outer ? "outer" : "inner";
  if (executor.parallel == nullptr) {
    refuse(operation, policy, "this engine has one; use a parallel engine or the policy sequential");
  }
  if (is_outer && work.items < 2) {
    refuse(operation, policy, "the batch has one item; use the policy inner or auto");
  }
  if (!is_outer && work.tiles < 2) {
    refuse(operation, policy, "an item of this batch is not divided; use the policy outer or auto");
  }
}

}  // namespace tenure::cpu
