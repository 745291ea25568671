// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/access_error.hpp"

#include <array>

namespace tenure::inline TENURE_BUILD {

AccessError::AccessError(Kind kind, std::string operation, Facts facts, std::shared_ptr<const Error> cause)
    : Error(ErrorCode::access, std::move(operation),
            "wanted " + facts.wanted + ", found " + facts.found + "; " + facts.advice, std::move(cause)),
      kind_(kind),
      facts_(std::make_shared<const Facts>(std::move(facts))) {}

AccessError::~AccessError() = default;
AccessError::AccessError(const AccessError&) noexcept = default;
AccessError& AccessError::operator=(const AccessError&) noexcept = default;

std::string_view access_error_kind_name(AccessError::Kind kind) noexcept {
  constexpr std::array<std::string_view, 8> names{
      "not_host_accessible", "not_mappable", "mapped",     "imported", "in_use",
      "dtype_mismatch",      "not_a_vector", "unsupported"};
  const auto index = static_cast<std::size_t>(kind);
  return index < names.size() ? names[index] : "unknown";
}

}  // namespace tenure::inline TENURE_BUILD
