// SPDX-License-Identifier: Apache-2.0
// empty_owner: a tensor, view, pool or engine that was used after it had been moved from.
#pragma once

#include "tenure/base/error.hpp"

namespace tenure::inline TENURE_BUILD {

class TENURE_API EmptyOwner final : public Error {
 public:
  explicit EmptyOwner(std::string operation);
};

}  // namespace tenure::inline TENURE_BUILD
