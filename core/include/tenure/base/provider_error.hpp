// SPDX-License-Identifier: Apache-2.0
// provider_error: a provider or one of its instances did not do what was asked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tenure/base/error.hpp"
#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

// Either what a provider answered, or a refusal by Tenure that concerns a provider: an instance that is
// closed or still in use, a provider that is not available here, an unknown domain.
class TENURE_API ProviderError final : public Error {
 public:
  // A refusal by Tenure. `status_code` is a TENURE_* number, `provider` the provider's id.
  ProviderError(std::string operation, std::string provider, std::int32_t status_code, std::string message,
                std::shared_ptr<const Error> cause = nullptr);

  // What a provider answered: the code that its function returned and the status that it filled.
  // `attempt` says in words what was asked, such as "creating 4096 bytes in cpu:0/pageable".
  static ProviderError answered(std::string operation, std::string provider, std::string_view attempt,
                                std::int32_t returned_code, const tenure_status& status);

  ~ProviderError() override;
  ProviderError(const ProviderError&) noexcept;
  ProviderError& operator=(const ProviderError&) noexcept;

  // A TENURE_* number; a number outside that list is TENURE_UNKNOWN here and quoted in the message.
  std::int32_t status_code() const noexcept;
  // The provider's id.
  std::string_view provider() const noexcept;
  // The code underneath, such as an errno, and what kind of number it is; 0 and empty when there is none.
  std::int32_t native_code() const noexcept;
  std::string_view native_domain() const noexcept;
  // Where in the provider it happened, "file:function:line"; empty when not reported.
  std::string_view site() const noexcept;
  // The same call may succeed later.
  bool retryable() const noexcept;
  // The instance is unusable until it is opened again.
  bool sticky() const noexcept;

 private:
  struct Fields;
  ProviderError(std::string operation, std::string message, std::shared_ptr<const Fields> fields,
                std::shared_ptr<const Error> cause);
  std::shared_ptr<const Fields> fields_;
};

}  // namespace tenure::inline TENURE_BUILD
