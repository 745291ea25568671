// SPDX-License-Identifier: Apache-2.0
// host_tensor: an owner of elements that the host reaches without a map.
#pragma once

#include <utility>

#include "tenure/tensor/typed_owner.hpp"
#include "tenure/tensor/typed_tensor.hpp"

namespace tenure::inline TENURE_BUILD {

// What it shares with TypedTensor is in typed_owner.hpp; access to its elements never throws AccessError.
template <class T, int Rank>
class HostTensor final : public TypedOwner<HostTensor<T, Rank>, T, Rank> {
  using Base = TypedOwner<HostTensor<T, Rank>, T, Rank>;

 public:
  // As a tensor that may live anywhere.
  TypedTensor<T, Rank> into_typed() && {
    return StateAccess::make<TypedTensor<T, Rank>>(this->state_.consume("into_typed"));
  }
  // With another static rank. Throws RankMismatch.
  template <int N>
  HostTensor<T, N> into_rank() && {
    this->state_.require_type("into_rank", dtype_of<T>(), N);
    return StateAccess::make<HostTensor<T, N>>(this->state_.consume("into_rank"));
  }
  // A named copy in the same domain. Throws AccessError (not_host_accessible) when the domain, which need not
  // report an address each time, makes memory that the host must map; the copy is given back then.
  HostTensor duplicate(BorrowPlace place = BorrowPlace::here()) const {
    OwnerState copy =
        duplicate_elements("duplicate", this->state_.lend(BorrowKind::shared, "duplicate", place));
    copy.host_address("duplicate");
    return StateAccess::make<HostTensor>(std::move(copy));
  }

 private:
  using Base::Base;
};
static_assert(sizeof(HostTensor<double, 2>) == sizeof(OwnerState));

}  // namespace tenure::inline TENURE_BUILD
