// SPDX-License-Identifier: Apache-2.0
// provider_call: keeps an instance open for the length of one call that holds no object of it.
#pragma once

#include "loader/instance_control.hpp"

namespace tenure::inline TENURE_BUILD {

class ProviderCall {
 public:
  // Throws ProviderError (FAILED_PRECONDITION) when the instance is closing or closed.
  explicit ProviderCall(InstanceControl& instance) : instance_(instance) {
    instance_.retain(LiveKind::call, 0);
  }
  ProviderCall(const ProviderCall&) = delete;
  ProviderCall& operator=(const ProviderCall&) = delete;
  ~ProviderCall() { instance_.release(LiveKind::call, 0); }

 private:
  InstanceControl& instance_;
};

}  // namespace tenure::inline TENURE_BUILD
