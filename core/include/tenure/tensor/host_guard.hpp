// SPDX-License-Identifier: Apache-2.0
// host_guard: a map of a tensor or view, through which the host reads or writes its elements.
#pragma once

#include <span>
#include <utility>

#include "tenure/memory/borrow_place.hpp"
#include "tenure/memory/storage_map.hpp"
#include "tenure/tensor/owner_state.hpp"
#include "tenure/tensor/state_access.hpp"
#include "tenure/tensor/view_state.hpp"
#include "tenure/tensor/view_traits.hpp"

namespace tenure::inline TENURE_BUILD {

namespace detail {

// Without elements there is nothing to map, and no provider is asked.
inline StorageMap map_elements(const char* operation, const ViewState& source, MapAccess access) {
  source.alone(operation);
  return {operation, source.address(), source.layout().is_empty() ? nullptr : source.record(), access};
}
inline StorageMap map_elements(const char* operation, const OwnerState& source, MapAccess access) {
  return map_elements(operation, source.live(operation).view(), access);
}

}  // namespace detail

// Made by map_read(). Borrows through view() until it ends, and the map with it: before the owner is moved or
// destroyed, and after everything taken from view(). What making one throws is said at StorageMap; a map that
// is in the way is noticed before a borrow that is.
template <ReadableView V>
class HostReadGuard {
 public:
  // Of the state of an owner or a view.
  template <class State>
  HostReadGuard(const char* operation, const State& source, BorrowPlace place)
      : map_(detail::map_elements(operation, source, MapAccess::read)),
        view_(StateAccess::make<V>(
            source.lend(BorrowKind::shared, operation, place).at_address(map_.address()))) {}
  HostReadGuard(HostReadGuard&&) noexcept = default;
  // In both guards the view goes first: it reads what the map shows.
  HostReadGuard& operator=(HostReadGuard&& other) noexcept {
    view_ = std::move(other.view_);
    map_ = std::move(other.map_);
    return *this;
  }
  ~HostReadGuard() = default;

  // The elements that were mapped, with a host address if there are any.
  const V& view() const TENURE_LIFETIME_BOUND { return view_; }
  // All elements of a typed view, the first axis fastest. Throws NotCompact when they do not lie in one run.
  auto host_data() const TENURE_LIFETIME_BOUND { return view_.host_data(); }

 private:
  StorageMap map_;
  V view_;
};

// Made by map_write().
template <WritableView V>
class HostWriteGuard {
 public:
  template <class State>
  HostWriteGuard(const char* operation, const State& source, BorrowPlace place)
      : map_(detail::map_elements(operation, source, MapAccess::write)),
        view_(StateAccess::make<V>(
            source.lend(BorrowKind::exclusive, operation, place).at_address(map_.address()))) {}
  HostWriteGuard(HostWriteGuard&&) noexcept = default;
  HostWriteGuard& operator=(HostWriteGuard&& other) noexcept {
    view_ = std::move(other.view_);
    map_ = std::move(other.map_);
    return *this;
  }
  ~HostWriteGuard() = default;

  // The elements that were mapped, with a host address if there are any. Throws EmptyOwner when used after
  // publish().
  const V& view() const TENURE_LIFETIME_BOUND { return view_; }
  // All elements of a typed view, the first axis fastest, to read and write. Throws NotCompact when they do
  // not lie in one run; EmptyOwner after publish().
  auto host_data() const TENURE_LIFETIME_BOUND { return view_.host_data_mut(); }

  // Ends the map: what was written is visible to every device. A guard that is destroyed without it, as when
  // an exception passes through, ends the map too, and the memory holds whatever had been written by then.
  void publish() noexcept {
    [[maybe_unused]] const V ended = std::move(view_);
    map_.end();
  }

 private:
  StorageMap map_;
  V view_;
};

}  // namespace tenure::inline TENURE_BUILD
