// SPDX-License-Identifier: Apache-2.0
// typed_tensor: an owner of elements of a known type, anywhere.
#pragma once

#include <utility>

#include "tenure/tensor/typed_owner.hpp"

namespace tenure::inline TENURE_BUILD {

// What it shares with HostTensor is in typed_owner.hpp. `Rank` is the number of axes, or dynamic_rank.
template <class T, int Rank>
class TypedTensor final : public TypedOwner<TypedTensor<T, Rank>, T, Rank> {
  using Base = TypedOwner<TypedTensor<T, Rank>, T, Rank>;

 public:
  // Known to be on the host. Throws AccessError (not_host_accessible) when the host needs a map or a
  // download.
  HostTensor<T, Rank> into_host() && {
    this->state_.host_address("into_host");
    return StateAccess::make<HostTensor<T, Rank>>(this->state_.consume("into_host"));
  }
  // With another static rank. Throws RankMismatch.
  template <int N>
  TypedTensor<T, N> into_rank() && {
    this->state_.require_type("into_rank", dtype_of<T>(), N);
    return StateAccess::make<TypedTensor<T, N>>(this->state_.consume("into_rank"));
  }
  // A named copy in the same domain.
  TypedTensor duplicate(BorrowPlace place = BorrowPlace::here()) const {
    return StateAccess::make<TypedTensor>(
        duplicate_elements("duplicate", this->state_.lend(BorrowKind::shared, "duplicate", place)));
  }

 private:
  using Base::Base;
};
static_assert(sizeof(TypedTensor<double, 2>) == sizeof(OwnerState));

}  // namespace tenure::inline TENURE_BUILD
