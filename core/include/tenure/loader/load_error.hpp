// SPDX-License-Identifier: Apache-2.0
// load_error: a provider that did not load.
#pragma once

#include <memory>

#include "tenure/base/error.hpp"
#include "tenure/loader/load_report.hpp"

namespace tenure::inline TENURE_BUILD {

class TENURE_API LoadError final : public Error {
 public:
  // `report` has a failure.
  explicit LoadError(LoadReport report);
  ~LoadError() override;
  LoadError(const LoadError&) noexcept;
  LoadError& operator=(const LoadError&) noexcept;

  const LoadReport& report() const noexcept { return *report_; }
  const Problem& failure() const noexcept { return *report_->failure; }

 private:
  std::shared_ptr<const LoadReport> report_;
};

}  // namespace tenure::inline TENURE_BUILD
