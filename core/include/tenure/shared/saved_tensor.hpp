// SPDX-License-Identifier: Apache-2.0
// saved_tensor: a shared tensor that must not have changed when it is needed again.
#pragma once

#include <cstdint>

#include "tenure/shared/shared_tensor.hpp"

namespace tenure::inline TENURE_BUILD {

// An alias, and the version that its storage had. Keeps the storage alive; no elements are copied. As an
// alias it has no gradient history, so that a history may save its own output.
class TENURE_API SavedTensor {
 public:
  // Throws VersionError (not_counted) for a storage without a version. A write that is under way counts as a
  // change after this.
  explicit SavedTensor(const SharedTensor& tensor);

  // When it was saved.
  std::uint64_t version() const noexcept { return version_; }
  // The alias, unchanged until now. Throws VersionError (changed) when the storage was written since, through
  // any handle.
  const SharedTensor& unpack() const TENURE_LIFETIME_BOUND;
  // To read it with nobody able to change it in between. Throws VersionError (changed); AccessError (in_use).
  SharedReadGuard read(BorrowPlace place = BorrowPlace::here()) const;

 private:
  void require_unchanged(const char* operation) const;

  SharedTensor alias_;
  std::uint64_t version_;
};

}  // namespace tenure::inline TENURE_BUILD
