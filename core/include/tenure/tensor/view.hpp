// SPDX-License-Identifier: Apache-2.0
// view: what every view can say about itself.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "tenure/memory/allocation_identity.hpp"
#include "tenure/tensor/state_access.hpp"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// Base of TensorView, TensorViewMut, TypedTensorView and TypedTensorViewMut, which add no member. A view
// borrows: it must end before its owner is moved or destroyed. Nothing that a view does allocates for ranks
// up to 6. Only empty() may be asked of a moved-from view: everything else throws EmptyOwner.
class TENURE_API View {
 public:
  // True for a moved-from view; a view of no elements is not empty.
  bool empty() const noexcept { return state_.empty(); }

  DType dtype() const { return state_.live("dtype").dtype(); }
  const Layout& layout() const TENURE_LIFETIME_BOUND { return layout("layout"); }
  std::int64_t rank() const { return layout("rank").rank(); }
  std::span<const std::int64_t> extents() const TENURE_LIFETIME_BOUND { return layout("extents").extents(); }
  std::span<const std::int64_t> strides() const TENURE_LIFETIME_BOUND { return layout("strides").strides(); }
  // A negative axis counts from the end.
  std::int64_t extent(std::int64_t axis) const;
  // The element of index (0, 0, ...), counted from the start of the allocation.
  std::int64_t offset() const { return layout("offset").offset(); }
  std::int64_t element_count() const { return layout("element_count").element_count(); }
  // The elements lie in one run with the first axis fastest.
  bool is_compact() const { return layout("is_compact").is_column_major(); }

  // Identity of provider memory; absent for plain host memory, also from a pool, and for no elements.
  std::optional<AllocationDomain> domain() const { return domain_of(record("domain")); }
  std::optional<AllocationId> allocation_id() const { return allocation_id_of(record("allocation_id")); }
  Placement placement() const { return placement_of(record("placement")); }

 protected:
  // Only StateAccess makes views, of all kinds, with these.
  explicit View(ViewState&& state) noexcept : state_(std::move(state)) {}
  template <std::invocable MakeState>
  explicit View(const MakeState& make_state) : state_(make_state()) {}
  View(const View&) = default;
  View& operator=(const View&) = default;
  View(View&&) noexcept = default;
  View& operator=(View&&) noexcept = default;
  ~View() = default;

  ViewState state_;

 private:
  friend struct StateAccess;
  const Layout& layout(const char* operation) const { return state_.live(operation).layout(); }
  const AllocationRecord* record(const char* operation) const { return state_.live(operation).record(); }
};

}  // namespace tenure::inline TENURE_BUILD
