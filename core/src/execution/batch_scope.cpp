// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/batch_scope.hpp"

#include "base/enumerator.hpp"
#include "tenure/execution/engine.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local const BatchScope* youngest = nullptr;

}  // namespace

BatchScope::BatchScope(const Engine& engine, BatchPolicy policy)
    : engine_(engine.live("BatchScope").handle_), policy_(policy), older_(youngest) {
  require_enumerator("BatchScope", "policy", policy, BatchPolicy::inner);
  youngest = this;
}

BatchScope::~BatchScope() { youngest = older_; }

BatchPolicy BatchScope::policy_on(const tenure_engine* engine) noexcept {
  for (const BatchScope* scope = youngest; scope != nullptr; scope = scope->older_) {
    if (scope->engine_ == engine) return scope->policy_;
  }
  return BatchPolicy::automatic;
}

}  // namespace tenure::inline TENURE_BUILD
