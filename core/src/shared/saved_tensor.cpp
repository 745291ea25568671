// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/saved_tensor.hpp"

#include "tenure/base/version_error.hpp"

namespace tenure::inline TENURE_BUILD {

SavedTensor::SavedTensor(const SharedTensor& tensor)
    : alias_(tensor), version_(alias_.version_for("SavedTensor")) {}

const SharedTensor& SavedTensor::unpack() const {
  require_unchanged("SavedTensor::unpack");
  return alias_;
}

SharedReadGuard SavedTensor::read(BorrowPlace place) const {
  SharedReadGuard guard = alias_.read(place);
  require_unchanged("SavedTensor::read");
  return guard;
}

void SavedTensor::require_unchanged(const char* operation) const {
  const std::uint64_t current = alias_.version_for(operation);
  if (current != version_) throw VersionError(operation, version_, current);
}

}  // namespace tenure::inline TENURE_BUILD
