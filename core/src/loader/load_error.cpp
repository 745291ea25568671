// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/load_error.hpp"

#include <utility>

namespace tenure::inline TENURE_BUILD {

LoadError::LoadError(LoadReport report)
    : Error(ErrorCode::load, "Registry::load", report.summary()),
      report_(std::make_shared<const LoadReport>(std::move(report))) {}

LoadError::~LoadError() = default;
LoadError::LoadError(const LoadError&) noexcept = default;
LoadError& LoadError::operator=(const LoadError&) noexcept = default;

}  // namespace tenure::inline TENURE_BUILD
