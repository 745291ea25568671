// SPDX-License-Identifier: Apache-2.0
// same_allocation: whether two owners or views are readings of one allocation.
#pragma once

#include "tenure/memory/allocation_identity.hpp"
#include "tenure/tensor/state_access.hpp"

namespace tenure::inline TENURE_BUILD {

// By identity for provider memory, by address for plain host memory. A tensor without elements is in no
// allocation. Throws EmptyOwner.
template <class A, class B>
bool same_allocation(const A& a, const B& b) {
  return same_allocation(StateAccess::state(a).live("same_allocation").place(),
                         StateAccess::state(b).live("same_allocation").place());
}

}  // namespace tenure::inline TENURE_BUILD
