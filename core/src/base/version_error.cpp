// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/version_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string_view advice_of(VersionError::Kind kind) noexcept {
  if (kind == VersionError::Kind::changed) return "save a clone() of it, or change a clone() of it in place";
  return "use a clone() made outside of every inference scope, or change it inside of one";
}

std::string message_of(VersionError::Kind kind, const std::string& wanted_and_found) {
  return wanted_and_found + "; " + std::string(advice_of(kind));
}

}  // namespace

VersionError::VersionError(std::string operation, std::uint64_t saved_version, std::uint64_t current_version)
    : Error(ErrorCode::version, std::move(operation),
            message_of(Kind::changed, "wanted the elements as they were saved, at version " +
                                          std::to_string(saved_version) + ", found version " +
                                          std::to_string(current_version) +
                                          ": they have been changed in place since")),
      kind_(Kind::changed),
      saved_version_(saved_version),
      current_version_(current_version) {}

VersionError::VersionError(std::string operation)
    : Error(ErrorCode::version, std::move(operation),
            message_of(Kind::not_counted,
                       "wanted a tensor whose changes are counted, found one made in an inference scope")),
      kind_(Kind::not_counted),
      saved_version_(0),
      current_version_(0) {}

VersionError::~VersionError() = default;
VersionError::VersionError(const VersionError&) noexcept = default;
VersionError& VersionError::operator=(const VersionError&) noexcept = default;

std::string_view VersionError::advice() const noexcept { return advice_of(kind_); }

}  // namespace tenure::inline TENURE_BUILD
