// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/provider_error.hpp"

#include <cstring>
#include <utility>

#include "tenure/abi/code_name.hpp"

namespace tenure::inline TENURE_BUILD {

struct ProviderError::Fields {
  std::string provider;
  std::int32_t status_code = TENURE_UNKNOWN;
  std::int32_t native_code = 0;
  std::string native_domain;
  std::string site;
  bool retryable = false;
  bool sticky = false;
};

namespace {

// The text of a fixed field, also when its writer forgot the terminator.
template <std::size_t Size>
std::string text_of(const char (&field)[Size]) {
  return std::string(field, ::strnlen(field, Size));
}

std::string describe(std::string_view provider, std::string_view attempt, std::int32_t returned_code,
                     const std::string& text, const std::string& native_domain, std::int32_t native_code,
                     const std::string& site) {
  std::string message(attempt);
  message.append(" failed: ").append(provider).append(" answered ");
  if (abi::is_status_code(returned_code)) {
    message.append(abi::status_name(returned_code));
  } else {
    message.append("the unknown code ").append(std::to_string(returned_code));
  }
  message.append(": ").append(text.empty() ? "(without a message)" : text);
  if (native_code != 0 || !native_domain.empty()) {
    message.append(" [").append(native_domain.empty() ? "native code" : native_domain).append(" ");
    message.append(std::to_string(native_code)).append("]");
  }
  if (!site.empty()) message.append(" (").append(site).append(")");
  return message;
}

}  // namespace

ProviderError::ProviderError(std::string operation, std::string message, std::shared_ptr<const Fields> fields,
                             std::shared_ptr<const Error> cause)
    : Error(ErrorCode::provider, std::move(operation), std::move(message), std::move(cause)),
      fields_(std::move(fields)) {}

ProviderError::ProviderError(std::string operation, std::string provider, std::int32_t status_code,
                             std::string message, std::shared_ptr<const Error> cause)
    : ProviderError(
          std::move(operation), std::move(message),
          std::make_shared<const Fields>(Fields{
              .provider = std::move(provider), .status_code = status_code, .native_domain = {}, .site = {}}),
          std::move(cause)) {}

ProviderError::~ProviderError() = default;
ProviderError::ProviderError(const ProviderError&) noexcept = default;
ProviderError& ProviderError::operator=(const ProviderError&) noexcept = default;

ProviderError ProviderError::answered(std::string operation, std::string provider, std::string_view attempt,
                                      std::int32_t returned_code, const tenure_status& status) {
  Fields fields{.provider = std::move(provider),
                .status_code = abi::is_status_code(returned_code) ? returned_code : TENURE_UNKNOWN,
                .native_code = status.native_code,
                .native_domain = text_of(status.native_domain),
                .site = text_of(status.site),
                .retryable = (status.flags & TENURE_STATUS_RETRYABLE) != 0,
                .sticky = (status.flags & TENURE_STATUS_STICKY) != 0};
  if (!fields.site.empty() && status.line != 0) fields.site.append(":").append(std::to_string(status.line));
  std::string message = describe(fields.provider, attempt, returned_code, text_of(status.message),
                                 fields.native_domain, fields.native_code, fields.site);
  return ProviderError(std::move(operation), std::move(message),
                       std::make_shared<const Fields>(std::move(fields)), nullptr);
}

std::int32_t ProviderError::status_code() const noexcept { return fields_->status_code; }
std::string_view ProviderError::provider() const noexcept { return fields_->provider; }
std::int32_t ProviderError::native_code() const noexcept { return fields_->native_code; }
std::string_view ProviderError::native_domain() const noexcept { return fields_->native_domain; }
std::string_view ProviderError::site() const noexcept { return fields_->site; }
bool ProviderError::retryable() const noexcept { return fields_->retryable; }
bool ProviderError::sticky() const noexcept { return fields_->sticky; }

}  // namespace tenure::inline TENURE_BUILD
