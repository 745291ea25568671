// SPDX-License-Identifier: Apache-2.0
// refused_use: what it means that a provider does not let the host or a copy use a storage.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tenure/base/access_error.hpp"
#include "tenure/base/provider_error.hpp"

namespace tenure::inline TENURE_BUILD {

// The core excludes its own maps and copies, so what a provider refuses for the moment meets work of a
// device. Throws AccessError (in_use) then, otherwise the provider's error. `wanted` says what for.
[[noreturn]] inline void throw_refused_use(std::string_view operation, std::string wanted,
                                           const ProviderError& error) {
  if (error.status_code() != TENURE_FAILED_PRECONDITION || !error.retryable()) throw error;
  throw AccessError(AccessError::Kind::in_use, std::string(operation),
                    {std::move(wanted), "work of a device that goes on",
                     "wait for that work, as with the handle of its submission, and try again"},
                    std::make_shared<const ProviderError>(error));
}

}  // namespace tenure::inline TENURE_BUILD
