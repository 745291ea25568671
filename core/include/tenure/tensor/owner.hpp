// SPDX-License-Identifier: Apache-2.0
// owner: what every owner of elements can say about itself.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "tenure/memory/allocation_identity.hpp"
#include "tenure/tensor/owner_state.hpp"

namespace tenure::inline TENURE_BUILD {

// Base of Tensor, TypedTensor, HostTensor and UninitializedTensor, which add no member. Moves, never copies.
// Elements are compact, the first axis fastest. Only empty() may be asked of a moved-from owner: everything
// else throws EmptyOwner.
class TENURE_API Owner {
 public:
  // True for a moved-from owner; an owner of no elements is not empty.
  bool empty() const noexcept { return state_.empty(); }

  DType dtype() const { return state_.live("dtype").dtype(); }
  std::int64_t rank() const { return static_cast<std::int64_t>(extents("rank").size()); }
  std::span<const std::int64_t> extents() const TENURE_LIFETIME_BOUND { return extents("extents"); }
  // A negative axis counts from the end.
  std::int64_t extent(std::int64_t axis) const;
  std::int64_t element_count() const;
  std::size_t bytes() const { return state_.live("bytes").storage().bytes(); }
  // Derived from the extents.
  Layout layout() const { return state_.live("layout").layout(); }

  // Identity of provider memory; absent for plain host memory, also from a pool, and for no elements.
  std::optional<AllocationDomain> domain() const { return domain_of(record("domain")); }
  std::optional<AllocationId> allocation_id() const { return allocation_id_of(record("allocation_id")); }
  Placement placement() const { return placement_of(record("placement")); }

 protected:
  // Only StateAccess makes owners, of all kinds, with these.
  explicit Owner(OwnerState&& state) noexcept : state_(std::move(state)) {}
  template <std::invocable MakeState>
  explicit Owner(const MakeState& make_state) : state_(make_state()) {}
  Owner(Owner&&) noexcept = default;
  Owner& operator=(Owner&&) noexcept = default;
  ~Owner() = default;

  OwnerState state_;

 private:
  friend struct StateAccess;
  std::span<const std::int64_t> extents(const char* operation) const TENURE_LIFETIME_BOUND {
    return state_.live(operation).extents();
  }
  const AllocationRecord* record(const char* operation) const {
    return state_.live(operation).storage().record();
  }
};

}  // namespace tenure::inline TENURE_BUILD
