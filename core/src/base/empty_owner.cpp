// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/empty_owner.hpp"

namespace tenure::inline TENURE_BUILD {

EmptyOwner::EmptyOwner(std::string operation)
    : Error(ErrorCode::empty_owner, std::move(operation),
            "wanted a live object, found one that was moved from; use the one that it was moved "
            "to, or assign to this one first") {}

}  // namespace tenure::inline TENURE_BUILD
