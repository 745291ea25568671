// SPDX-License-Identifier: Apache-2.0
// version_error: a shared tensor that changed after it had been saved, or whose changes nobody counts.
#pragma once

#include <cstdint>

#include "tenure/base/error.hpp"

namespace tenure::inline TENURE_BUILD {

class TENURE_API VersionError final : public Error {
 public:
  enum class Kind {
    changed,      // written in place after it had been saved
    not_counted,  // made in an inference scope, so that it has no version
  };

  // Of kind changed.
  VersionError(std::string operation, std::uint64_t saved_version, std::uint64_t current_version);
  // Of kind not_counted.
  explicit VersionError(std::string operation);
  ~VersionError() override;
  VersionError(const VersionError&) noexcept;
  VersionError& operator=(const VersionError&) noexcept;

  Kind kind() const noexcept { return kind_; }
  // With kind changed: when it was saved and when it was asked for. Otherwise 0.
  std::uint64_t saved_version() const noexcept { return saved_version_; }
  std::uint64_t current_version() const noexcept { return current_version_; }
  // What to do, as in the message.
  std::string_view advice() const noexcept;

 private:
  Kind kind_;
  std::uint64_t saved_version_;
  std::uint64_t current_version_;
};

}  // namespace tenure::inline TENURE_BUILD
