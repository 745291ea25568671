// SPDX-License-Identifier: Apache-2.0
// allocation_group: owners of allocations and any number of typed readings of them.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenure/base/descriptor_slot.hpp"
#include "tenure/base/group_error.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/tensor.hpp"
#include "tenure/tensor/typed_tensor.hpp"

namespace tenure::inline TENURE_BUILD {

// What a group can take over: a Tensor, TypedTensor or HostTensor.
template <class T>
inline constexpr bool is_tensor_owner = false;
template <>
inline constexpr bool is_tensor_owner<Tensor> = true;
template <class T, int Rank>
inline constexpr bool is_tensor_owner<TypedTensor<T, Rank>> = true;
template <class T, int Rank>
inline constexpr bool is_tensor_owner<HostTensor<T, Rank>> = true;

// The only form of one allocation with many logical values, and of memory that is divided. It owns
// allocations and has descriptors, which own nothing: each reads elements of one dtype by one layout from one
// allocation, and several may read the same. A descriptor is named by a slot. An allocation lives as long as
// a descriptor reads it. No operation copies bytes or changes an address; one entry takes no heap block for
// ranks up to 6.
//
// Moves, never copies; slots stay valid for the group that was moved to. A slot is vacant once its descriptor
// is gone, stale once its place was used again or dropped by compact(), and foreign in every other group:
// all that take one throw GroupError (VacantSlot, StaleSlot, ForeignSlot). Of a moved-from group only empty()
// may be asked: everything else throws EmptyOwner. When an operation throws, the group and the arguments are
// as they were.
class TENURE_API AllocationGroup {
 public:
  // No allocations yet.
  AllocationGroup();
  AllocationGroup(AllocationGroup&& other) noexcept;
  AllocationGroup& operator=(AllocationGroup&& other) noexcept;
  ~AllocationGroup();

  // True for a moved-from group; a group without slots is not empty.
  bool empty() const noexcept { return tag_ == 0; }

  // Promotion: a group of one allocation and one descriptor, see demote(). Throws EmptyOwner.
  template <class Owner>
  static AllocationGroup from_tensor(Owner&& tensor) {
    return from_tensors(std::forward<Owner>(tensor));
  }
  // Takes every tensor over; slots() has them in the order of the arguments. Throws EmptyOwner;
  // InvalidArgument for a tensor that is named twice.
  template <class... Owners>
  static AllocationGroup from_tensors(Owners&&... tensors) {
    (require_consumed<Owners>(), ...);
    AllocationGroup group;
    group.adopt("from_tensors", {&StateAccess::state(tensors)...});
    return group;
  }
  // The vector has no elements afterwards.
  static AllocationGroup from_tensors(std::vector<Tensor>&& tensors);

  // Takes the tensor over. Throws EmptyOwner.
  template <class Owner>
  DescriptorSlot append_tensor(Owner&& tensor) {
    require_consumed<Owner>();
    return adopt("append_tensor", {&StateAccess::state(tensor)});
  }
  // Takes over all that the other group has. The slots of this group stay valid; those of `source` become
  // foreign, and the result has one for each of them, in the order of source.slots(). Throws EmptyOwner;
  // InvalidArgument for this group itself.
  std::vector<DescriptorSlot> append(AllocationGroup&& source);

  std::size_t allocation_count() const;
  std::size_t descriptor_count() const;
  // Of all descriptors, by place.
  std::vector<DescriptorSlot> slots() const;

  DType dtype(DescriptorSlot slot) const { return entry("dtype", slot).dtype; }
  // In elements of dtype(slot) from the first byte of the allocation.
  const Layout& layout(DescriptorSlot slot) const TENURE_LIFETIME_BOUND {
    return entry("layout", slot).layout;
  }
  std::span<const std::int64_t> extents(DescriptorSlot slot) const TENURE_LIFETIME_BOUND {
    return entry("extents", slot).layout.extents();
  }
  // Another descriptor reads the same allocation.
  bool is_aliased(DescriptorSlot slot) const;

  // Borrow the elements of a descriptor. The view must end before the group is moved or destroyed and before
  // the tensor is taken. With a static element type, and rank if one is given: throw DTypeMismatch,
  // RankMismatch.
  TensorView read_view(DescriptorSlot slot,
                       BorrowPlace place = BorrowPlace::here()) const& TENURE_LIFETIME_BOUND {
    return StateAccess::make<TensorView>(lend_reading("read_view", slot, place));
  }
  template <class T, int Rank = dynamic_rank>
  TypedTensorView<T, Rank> read_view(DescriptorSlot slot,
                                     BorrowPlace place = BorrowPlace::here()) const& TENURE_LIFETIME_BOUND {
    return typed<TypedTensorView<T, Rank>>("read_view", lend_reading("read_view", slot, place));
  }
  // One view for each slot; a slot may occur more than once.
  std::vector<TensorView> read_views(std::span<const DescriptorSlot> slots,
                                     BorrowPlace place = BorrowPlace::here()) const& TENURE_LIFETIME_BOUND;
  std::vector<TensorView> read_views(std::initializer_list<DescriptorSlot> slots,
                                     BorrowPlace place = BorrowPlace::here()) const& TENURE_LIFETIME_BOUND {
    return read_views(std::span(slots.begin(), slots.size()), place);
  }

  // Borrow to write. No other view of the same allocation may be used meanwhile. Throw GroupError
  // (NonInjective) for a descriptor that names an element twice, or may do so.
  TensorViewMut view_mut(DescriptorSlot slot, BorrowPlace place = BorrowPlace::here()) &
      TENURE_LIFETIME_BOUND {
    return StateAccess::make<TensorViewMut>(lend_writing("view_mut", slot, place));
  }
  template <class T, int Rank = dynamic_rank>
      TypedTensorViewMut<T, Rank> view_mut(DescriptorSlot slot, BorrowPlace place = BorrowPlace::here()) &
      TENURE_LIFETIME_BOUND {
    return typed<TypedTensorViewMut<T, Rank>>("view_mut", lend_writing("view_mut", slot, place));
  }
  // Several at once, whose elements share no byte, whatever their order and layouts. Throws GroupError
  // (DuplicateSlot, NonInjective); DisjointError with the positions of two slots that share a byte.
  std::vector<TensorViewMut> split_mut(std::span<const DescriptorSlot> slots,
                                       BorrowPlace place = BorrowPlace::here()) &
      TENURE_LIFETIME_BOUND;
  std::vector<TensorViewMut> split_mut(std::initializer_list<DescriptorSlot> slots,
                                       BorrowPlace place = BorrowPlace::here()) &
      TENURE_LIFETIME_BOUND {
    return split_mut(std::span(slots.begin(), slots.size()), place);
  }

  TensorView read_view(DescriptorSlot) const&& = delete;
  template <class T, int Rank = dynamic_rank>
  TypedTensorView<T, Rank> read_view(DescriptorSlot) const&& = delete;
  std::vector<TensorView> read_views(std::span<const DescriptorSlot>) const&& = delete;
  std::vector<TensorView> read_views(std::initializer_list<DescriptorSlot>) const&& = delete;
  TensorViewMut view_mut(DescriptorSlot) const&& = delete;
  template <class T, int Rank = dynamic_rank>
  TypedTensorViewMut<T, Rank> view_mut(DescriptorSlot) const&& = delete;
  std::vector<TensorViewMut> split_mut(std::span<const DescriptorSlot>) const&& = delete;
  std::vector<TensorViewMut> split_mut(std::initializer_list<DescriptorSlot>) const&& = delete;

  // One more descriptor of the allocation that `slot` reads, over any part of it; so tensors of several
  // dtypes share one allocation, such as a tensor of bytes. `layout` counts elements from `offset_bytes`, a
  // multiple of their size. Of a descriptor of bool all others must be of bool. Throws ViewOutOfBounds,
  // Misaligned, UnsupportedReinterpretation, IntegerOverflow.
  DescriptorSlot add_descriptor(DescriptorSlot slot, DType dtype, const Layout& layout,
                                std::size_t offset_bytes = 0);
  // Another layout over the same allocation; the slot stays valid. Throws ViewOutOfBounds.
  void update_layout(DescriptorSlot slot, const Layout& layout);
  // Another dtype over the same bytes, see reinterpret_layout; the slot stays valid. Throws GroupError
  // (AliasedAllocation), UnsupportedReinterpretation, Misaligned and what the layout throws.
  void reinterpret(DescriptorSlot slot, DType dtype);
  // The last descriptor of an allocation takes the allocation with it.
  void remove_descriptor(DescriptorSlot slot);

  // The tensor of a descriptor that is alone on its allocation and reads all of it; the slot is vacant then.
  // Throws GroupError (AliasedAllocation; NotExtractable, which names the copies that would do); the typed
  // one also DTypeMismatch, RankMismatch.
  Tensor take_tensor(DescriptorSlot slot) {
    return StateAccess::make<Tensor>(take("take_tensor", slot, std::nullopt, dynamic_rank));
  }
  template <class T, int Rank = dynamic_rank>
  TypedTensor<T, Rank> take_tensor(DescriptorSlot slot) {
    return StateAccess::make<TypedTensor<T, Rank>>(take("take_tensor", slot, dtype_of<T>(), Rank));
  }
  // The same for a group that ends with it. The second is all that is left, and keeps the other slots.
  std::pair<Tensor, AllocationGroup> into_tensor(DescriptorSlot slot) && {
    Tensor tensor =
        StateAccess::make<Tensor>(take_from_last("into_tensor", slot, std::nullopt, dynamic_rank));
    return {std::move(tensor), std::move(*this)};
  }
  template <class T, int Rank = dynamic_rank>
  std::pair<TypedTensor<T, Rank>, AllocationGroup> into_tensor(DescriptorSlot slot) && {
    auto tensor =
        StateAccess::make<TypedTensor<T, Rank>>(take_from_last("into_tensor", slot, dtype_of<T>(), Rank));
    return {std::move(tensor), std::move(*this)};
  }
  // Demotion: the host tensor of a group of one allocation and one descriptor. Throws GroupError
  // (NotOneEntry, NotExtractable), DTypeMismatch, RankMismatch, AccessError (not_host_accessible).
  template <class T, int Rank = dynamic_rank>
  HostTensor<T, Rank> demote() && {
    return StateAccess::make<HostTensor<T, Rank>>(take_only("demote", dtype_of<T>(), Rank));
  }

  // Gives memory back that vacant places take; live slots stay valid, vacant ones become stale. Places before
  // a live one are kept.
  void compact();

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // Moves from place to place in its table, which is no move of an owner.
  struct Allocation {
    Storage storage;
    [[no_unique_address]] OwnerBorrow borrows;
    std::size_t descriptor_count;  // 0: the place is free
    std::size_t next_free = none;

    Allocation(Storage&& of_storage, OwnerBorrow&& of_borrows) noexcept
        : storage(std::move(of_storage)), borrows(of_borrows.relocate()), descriptor_count(0) {}
    Allocation(Allocation&& other) noexcept
        : storage(std::move(other.storage)),
          borrows(other.borrows.relocate()),
          descriptor_count(other.descriptor_count),
          next_free(other.next_free) {}
    Allocation& operator=(Allocation&& other) noexcept {
      if (this != &other) {
        std::destroy_at(this);
        std::construct_at(this, std::move(other));
      }
      return *this;
    }
    ~Allocation() = default;
  };
  struct Descriptor {
    Layout layout;
    DType dtype;
    std::size_t allocation;    // none: the place is free
    std::uint64_t generation;  // of the descriptor, or of the last one that was here
    std::size_t next_free = none;
  };

  template <class Owner>
  static constexpr void require_consumed() {
    static_assert(is_tensor_owner<std::remove_cvref_t<Owner>>,
                  "A group takes a Tensor, TypedTensor or HostTensor over.");
    static_assert(!std::is_lvalue_reference_v<Owner> && !std::is_const_v<Owner>,
                  "A group takes its tensors over: pass std::move(tensor).");
  }
  template <class View>
  static View typed(const char* operation, ViewState&& state) {
    using Traits = ViewTraits<View>;
    state.require_type(operation, dtype_of<typename Traits::Element>(), Traits::Rank);
    return StateAccess::make<View>(std::move(state));
  }

  void require_live(const char* operation) const;
  // Throw VacantSlot, StaleSlot, ForeignSlot.
  const Descriptor& entry(const char* operation, DescriptorSlot slot) const;
  Descriptor& entry(const char* operation, DescriptorSlot slot);
  const Allocation& allocation_of(const Descriptor& descriptor) const noexcept {
    return allocations_[descriptor.allocation];
  }
  DescriptorSlot slot_of(std::size_t index) const noexcept {
    return {index, descriptors_[index].generation, tag_};
  }
  ViewState reading(const Descriptor& descriptor, BorrowToken&& borrow) const;
  ViewState lend_reading(const char* operation, DescriptorSlot slot, BorrowPlace place) const;
  ViewState lend_writing(const char* operation, DescriptorSlot slot, BorrowPlace place);
  // Throws NonInjective.
  const Descriptor& writable(const char* operation, DescriptorSlot slot);
  // Throws BorrowError when an allocation is lent.
  void require_unborrowed(const char* operation) const;

  // Returns the slot of the last one.
  DescriptorSlot adopt(const char* operation, std::initializer_list<OwnerState*> owners) {
    return adopt(operation, std::span(owners.begin(), owners.size()));
  }
  DescriptorSlot adopt(const char* operation, std::span<OwnerState* const> owners);
  // Room for so many more of each, so that placing them cannot fail.
  void reserve(std::size_t allocations, std::size_t descriptors);
  std::size_t place(Storage&& storage, OwnerBorrow&& borrows) noexcept;
  DescriptorSlot place(Layout&& layout, DType dtype, std::size_t allocation) noexcept;
  // Returns the allocation when no descriptor reads it any more.
  std::optional<Allocation> vacate(std::size_t index) noexcept;

  void require_alone(const char* operation, DescriptorSlot slot) const;
  void require_extractable(const char* operation, DescriptorSlot slot) const;
  // Of the tensor that a descriptor would be. Throws all that taking it throws but BorrowError.
  OwnerShape takeable(const char* operation, DescriptorSlot slot, std::optional<DType> dtype, int rank) const;
  OwnerState vacate_to(DescriptorSlot slot, OwnerShape&& shape) noexcept;
  OwnerState take(const char* operation, DescriptorSlot slot, std::optional<DType> dtype, int rank);
  // From a group that ends with it.
  OwnerState take_from_last(const char* operation, DescriptorSlot slot, std::optional<DType> dtype, int rank);
  OwnerState take_only(const char* operation, DType dtype, int rank);

  // The allocations, about to move with their group.
  boost::container::small_vector<Allocation, 1>& reporting_move() noexcept;

  boost::container::small_vector<Allocation, 1> allocations_;
  boost::container::small_vector<Descriptor, 1> descriptors_;
  std::size_t free_allocation_ = none;  // the first of a list through next_free
  std::size_t free_descriptor_ = none;
  std::uint64_t last_generation_ = 0;
  std::uint64_t tag_;  // 0: moved from
};
static_assert(std::is_nothrow_move_constructible_v<AllocationGroup> &&
              std::is_nothrow_move_assignable_v<AllocationGroup>);

}  // namespace tenure::inline TENURE_BUILD
