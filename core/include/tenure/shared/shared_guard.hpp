// SPDX-License-Identifier: Apache-2.0
// shared_guard: spans of time in which the elements of a shared tensor are read or written.
#pragma once

#include <utility>

#include "tenure/memory/borrow_place.hpp"
#include "tenure/shared/shared_use.hpp"
#include "tenure/tensor/tensor_view.hpp"

namespace tenure::inline TENURE_BUILD {

// Made by read(). Keeps the storage alive and unwritten until it ends, which must be after everything taken
// from view(): a copy of the view that outlives it is a borrow like any other, which a checked build finds.
class TENURE_API SharedReadGuard {
 public:
  SharedReadGuard(const char* operation, const SharedReference& record, const Layout& layout,
                  BorrowPlace place);
  SharedReadGuard(SharedReadGuard&&) noexcept = default;
  SharedReadGuard& operator=(SharedReadGuard&& other) noexcept;

  // The elements of the handle, wherever they live: an operand of every operation.
  const TensorView& view() const TENURE_LIFETIME_BOUND { return view_; }

 private:
  SharedUse use_;
  TensorView view_;
};

// Made by write(). Keeps the storage alive and from everybody else until it ends, which must be after
// everything taken from view(). Other readings of the storage while it lasts are children of view().
class TENURE_API SharedWriteGuard {
 public:
  SharedWriteGuard(const char* operation, const SharedReference& record, const Layout& layout,
                   BorrowPlace place);
  SharedWriteGuard(SharedWriteGuard&&) noexcept = default;
  SharedWriteGuard& operator=(SharedWriteGuard&& other) noexcept;
  ~SharedWriteGuard() { publish(); }

  // The elements of the handle, wherever they live: a destination of every operation, and an input of one
  // that works in place. Throws EmptyOwner when used after publish().
  const TensorViewMut& view() const TENURE_LIFETIME_BOUND { return view_; }

  // Ends the use, with a version that is one higher: from then on others read and write, so everything taken
  // from view() must have ended. So does the end of a guard that was not published, as when an exception
  // passes through, since nobody can say what had been written by then.
  void publish() noexcept;

 private:
  SharedUse use_;
  TensorViewMut view_;
};

}  // namespace tenure::inline TENURE_BUILD
