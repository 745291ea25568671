// SPDX-License-Identifier: Apache-2.0
// lending_owner: owners whose elements can be borrowed and mapped.
#pragma once

#include <utility>

#include "tenure/tensor/host_guard.hpp"
#include "tenure/tensor/owner.hpp"

namespace tenure::inline TENURE_BUILD {

// Base of Tensor, TypedTensor and HostTensor, which say what their views are.
template <class ReadView, class WriteView>
class LendingOwner : public Owner {
 public:
  // Borrow all elements. A view must end before this tensor is moved or destroyed.
  ReadView as_view(BorrowPlace place = BorrowPlace::here()) const& TENURE_LIFETIME_BOUND {
    return StateAccess::make_from<ReadView>(
        [&] { return state_.lend(BorrowKind::shared, "as_view", place); });
  }
  WriteView as_view_mut(BorrowPlace place = BorrowPlace::here()) & TENURE_LIFETIME_BOUND {
    return StateAccess::make_from<WriteView>(
        [&] { return state_.lend(BorrowKind::exclusive, "as_view_mut", place); });
  }
  ReadView as_view() const&& = delete;
  WriteView as_view_mut() const&& = delete;

  // Maps the bytes for the host; see StorageMap.
  HostReadGuard<ReadView> map_read(BorrowPlace place = BorrowPlace::here()) const& TENURE_LIFETIME_BOUND {
    return HostReadGuard<ReadView>("map_read", state_, place);
  }
  HostWriteGuard<WriteView> map_write(BorrowPlace place = BorrowPlace::here()) & TENURE_LIFETIME_BOUND {
    return HostWriteGuard<WriteView>("map_write", state_, place);
  }
  HostReadGuard<ReadView> map_read() const&& = delete;
  HostWriteGuard<WriteView> map_write() const&& = delete;

 protected:
  using Owner::Owner;
};

}  // namespace tenure::inline TENURE_BUILD
