// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/inference_scope.hpp"

#include <utility>

namespace tenure::inline TENURE_BUILD {
namespace {

constinit thread_local bool is_inference_here = false;

}  // namespace

InferenceScope::InferenceScope(bool is_inference) noexcept
    : outside_(std::exchange(is_inference_here, is_inference)) {}

InferenceScope::~InferenceScope() { is_inference_here = outside_; }

bool InferenceScope::is_active() noexcept { return is_inference_here; }

}  // namespace tenure::inline TENURE_BUILD
