// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/empty_owner.hpp"

namespace tenure::inline TENURE_BUILD {

EmptyOwner::EmptyOwner(std::string operation)
    : Error(ErrorCode::empty_owner, std::move(operation),
            "wanted a live tensor, found one that was moved from; only destroying, assigning and empty() "
            "are left to it") {}

}  // namespace tenure::inline TENURE_BUILD
