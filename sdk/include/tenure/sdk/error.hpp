// SPDX-License-Identifier: Apache-2.0
// error: what a provider throws to choose the code, the message and the native error of a status.
#pragma once

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>

#include "tenure/provider_abi.h"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// What the system underneath said, and what the caller may do about it.
struct ErrorDetail {
  std::int32_t native_code = 0;    // errno, cudaError_t ...; 0: none
  const char* native_domain = "";  // "errno", "cuda" ...; a literal
  std::uint32_t flags = 0;         // TENURE_STATUS_*
};

// A failure with a code of the contract. Copying does not throw.
class Error final : public std::runtime_error {
 public:
  // `message` says what was wanted, what was found and what to do.
  Error(std::int32_t code, const std::string& message, const ErrorDetail& detail,
        std::source_location where = std::source_location::current())
      : runtime_error(message), code_(code), detail_(detail), where_(where) {}
  Error(std::int32_t code, const std::string& message,
        std::source_location where = std::source_location::current())
      : Error(code, message, ErrorDetail{}, where) {}

  std::int32_t code() const noexcept { return code_; }
  const ErrorDetail& detail() const noexcept { return detail_; }
  const std::source_location& where() const noexcept { return where_; }

 private:
  std::int32_t code_;
  ErrorDetail detail_;
  std::source_location where_;
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
