// SPDX-License-Identifier: Apache-2.0
// tensor_write: the destination of an operation.
#pragma once

#include <concepts>

#include "tenure/execution/tensor_read.hpp"
#include "tenure/tensor/owner.hpp"
#include "tenure/tensor/state_access.hpp"
#include "tenure/tensor/view.hpp"
#include "tenure/tensor/view_traits.hpp"

namespace tenure::inline TENURE_BUILD {

// Borrows elements to overwrite: an owner, written or not yet written, or a mutable view of any layout. Never
// resized. For parameters: it must end before what it was made from. Making one throws EmptyOwner for a
// moved-from argument.
class TensorWrite {
 public:
  template <class Target>
  requires std::derived_from<Target, Owner> TensorWrite(Target& owner TENURE_LIFETIME_BOUND)
      : state_(StateAccess::state(owner).lend(BorrowKind::write_operand, "TensorWrite")) {}
  template <class Target>
  requires(std::derived_from<Target, View>&& WritableView<Target>) TensorWrite(const Target& view)
      : state_(StateAccess::state(view).lend(BorrowKind::write_operand, "TensorWrite")) {}
  template <class Target>
  requires std::derived_from<Target, Owner> TensorWrite(const Target&)
  = delete;

  template <GuardedArgument Target>
  TensorWrite(const Target&) : state_(nullptr, nullptr, Layout(), f64) {
    static_assert(!GuardedArgument<Target>,
                  "A SharedTensor is no destination; keep a guard, `const auto guard = tensor.write();`, and "
                  "pass guard.view().");
  }

  DType dtype() const noexcept { return state_.dtype(); }
  const Layout& layout() const noexcept TENURE_LIFETIME_BOUND { return state_.layout(); }

 private:
  friend struct StateAccess;
  ViewState state_;
};

}  // namespace tenure::inline TENURE_BUILD
