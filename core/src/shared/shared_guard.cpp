// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/shared_guard.hpp"

#include "shared/shared_record.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// A borrow of the storage with the layout of a handle.
ViewState reading(const SharedRecord& record, BorrowKind kind, const char* operation, const Layout& layout,
                  BorrowPlace place) {
  return record.owner.lend(kind, operation, place).with_layout(Layout(layout));
}

}  // namespace

SharedReadGuard::SharedReadGuard(const char* operation, const SharedReference& record, const Layout& layout,
                                 BorrowPlace place)
    : use_(operation, record, MapAccess::read),
      view_(StateAccess::make<TensorView>(reading(*record, BorrowKind::shared, operation, layout, place))) {}

// In both, the view goes first: it borrows from what the use keeps.
SharedReadGuard& SharedReadGuard::operator=(SharedReadGuard&& other) noexcept {
  view_ = std::move(other.view_);
  use_ = std::move(other.use_);
  return *this;
}

SharedWriteGuard::SharedWriteGuard(const char* operation, const SharedReference& record, const Layout& layout,
                                   BorrowPlace place)
    : use_(operation, record, MapAccess::write),
      view_(StateAccess::make<TensorViewMut>(
          reading(*record, BorrowKind::exclusive, operation, layout, place))) {}

SharedWriteGuard& SharedWriteGuard::operator=(SharedWriteGuard&& other) noexcept {
  if (this != &other) {
    publish();
    view_ = std::move(other.view_);
    use_ = std::move(other.use_);
  }
  return *this;
}

void SharedWriteGuard::publish() noexcept {
  if (use_.record() == nullptr) return;
  { [[maybe_unused]] const TensorViewMut ended = std::move(view_); }
  use_.record()->version.fetch_add(1, std::memory_order_release);
  use_.end();
}

}  // namespace tenure::inline TENURE_BUILD
