// SPDX-License-Identifier: Apache-2.0
// provider_status: the details of a failure that a provider is asked to fill in.
#pragma once

#include <string_view>

#include "loader/instance_control.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/provider_error.hpp"

namespace tenure::inline TENURE_BUILD {

class ProviderStatus {
 public:
  // Clears the ends of the texts only: clearing all of it would cost more than most calls that use it.
  ProviderStatus() noexcept {
    status_.head = abi::head_of<tenure_status>();
    status_.code = 0;
    status_.native_code = 0;
    status_.flags = 0;
    status_.line = 0;
    status_.native_domain[0] = '\0';
    status_.site[0] = '\0';
    status_.message[0] = '\0';
  }

  tenure_status* get() noexcept { return &status_; }
  // The error for a call that returned `code`; `attempt` says what was asked, such as "mapping 64 bytes".
  ProviderError error(std::string_view operation, const InstanceControl& instance, std::string_view attempt,
                      std::int32_t code) const {
    return ProviderError::answered(std::string(operation), instance.provider_id(), attempt, code, status_);
  }

 private:
  tenure_status status_;
};

}  // namespace tenure::inline TENURE_BUILD
