// SPDX-License-Identifier: Apache-2.0
// tensor_read: an input of an operation.
#pragma once

#include <concepts>

#include "tenure/tensor/owner.hpp"
#include "tenure/tensor/state_access.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"
#include "tenure/tensor/view.hpp"

namespace tenure::inline TENURE_BUILD {

// A counted handle whose elements are reached through guards, such as SharedTensor.
template <class A>
concept GuardedArgument = requires {
  typename A::ReachedThroughGuards;
};

// Borrows the elements of an owner or a view of any layout, wherever they lie; never asks for a copy. For
// parameters: it must end before what it was made from. Making one throws EmptyOwner for a moved-from
// argument.
class TensorRead {
 public:
  template <class Source>
  requires(std::derived_from<Source, Owner> && !std::same_as<Source, UninitializedTensor>)
      TensorRead(const Source& owner TENURE_LIFETIME_BOUND)
      : state_(StateAccess::state(owner).lend(BorrowKind::read_operand, "TensorRead")) {}
  template <class Source>
  requires std::derived_from<Source, View> TensorRead(const Source& view)
      : state_(StateAccess::state(view).lend(BorrowKind::read_operand, "TensorRead")) {}

  template <GuardedArgument Source>
  TensorRead(const Source&) : state_(nullptr, nullptr, Layout(), f64) {
    static_assert(!GuardedArgument<Source>,
                  "A SharedTensor is no operand; keep a guard, `const auto guard = tensor.read();`, and pass "
                  "guard.view().");
  }

  DType dtype() const noexcept { return state_.dtype(); }
  const Layout& layout() const noexcept TENURE_LIFETIME_BOUND { return state_.layout(); }

 private:
  friend struct StateAccess;
  ViewState state_;
};

}  // namespace tenure::inline TENURE_BUILD
