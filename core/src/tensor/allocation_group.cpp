// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/allocation_group.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "tensor/disjoint.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/injectivity.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::uint64_t next_tag() noexcept {
  static std::atomic<std::uint64_t> last_tag{0};
  return last_tag.fetch_add(1, std::memory_order_relaxed) + 1;
}

// Twice as much each time, so that a group that grows one by one is moved seldom.
template <class Table>
void reserve_more(Table& table, std::size_t count) {
  const std::size_t wanted = table.size() + count;
  if (wanted > table.capacity()) table.reserve(std::max(wanted, 2 * table.capacity()));
}

}  // namespace

AllocationGroup::AllocationGroup() : tag_(next_tag()) {}

AllocationGroup::AllocationGroup(AllocationGroup&& other) noexcept
    : allocations_(std::move(other.reporting_move())),
      descriptors_(std::move(other.descriptors_)),
      free_allocation_(other.free_allocation_),
      free_descriptor_(other.free_descriptor_),
      last_generation_(other.last_generation_),
      tag_(std::exchange(other.tag_, 0)) {
  other.allocations_.clear();
  other.descriptors_.clear();
}

AllocationGroup& AllocationGroup::operator=(AllocationGroup&& other) noexcept {
  if (this != &other) {
    // Whatever gives the old bytes back may look at this group, which has the new ones by then.
    const auto ended = std::move(allocations_);
    allocations_ = std::move(other.reporting_move());
    descriptors_ = std::move(other.descriptors_);
    free_allocation_ = other.free_allocation_;
    free_descriptor_ = other.free_descriptor_;
    last_generation_ = other.last_generation_;
    tag_ = std::exchange(other.tag_, 0);
    other.allocations_.clear();
    other.descriptors_.clear();
  }
  return *this;
}

AllocationGroup::~AllocationGroup() = default;

boost::container::small_vector<AllocationGroup::Allocation, 1>& AllocationGroup::reporting_move() noexcept {
  for (const Allocation& allocation : allocations_) allocation.borrows.report_move();
  return allocations_;
}

void AllocationGroup::require_live(const char* operation) const {
  if (empty()) throw EmptyOwner(operation);
}

AllocationGroup AllocationGroup::from_tensors(std::vector<Tensor>&& tensors) {
  std::vector<OwnerState*> owners;
  owners.reserve(tensors.size());
  for (Tensor& tensor : tensors) owners.push_back(&StateAccess::state(tensor));
  AllocationGroup group;
  group.adopt("from_tensors", owners);
  tensors.clear();
  return group;
}

DescriptorSlot AllocationGroup::adopt(const char* operation, std::span<OwnerState* const> owners) {
  require_live(operation);
  boost::container::small_vector<Layout, 1> layouts;
  layouts.reserve(owners.size());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    layouts.push_back(owners[i]->live(operation).layout());
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      if (owners[i] != owners[earlier]) continue;
      throw ValidationError(
          operation,
          InvalidArgument{"tensors", "the tensors at positions " + std::to_string(earlier) + " and " +
                                         std::to_string(i) + " are the same one; name each tensor once"});
    }
  }
  reserve(owners.size(), owners.size());
  for (const OwnerState* owner : owners) owner->require_unborrowed(operation);
  DescriptorSlot last;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    OwnerState owner = std::move(*owners[i]);
    const std::size_t allocation = place(std::move(owner.storage()), std::move(owner.borrows()));
    last = place(std::move(layouts[i]), owner.dtype(), allocation);
  }
  return last;
}

std::vector<DescriptorSlot> AllocationGroup::append(AllocationGroup&& source) {
  constexpr const char* operation = "append";
  require_live(operation);
  source.require_live(operation);
  if (this == &source) {
    throw ValidationError(operation,
                          InvalidArgument{"source", "a group cannot take itself over; give another group"});
  }
  std::vector<DescriptorSlot> slots;
  slots.reserve(source.descriptor_count());
  reserve(source.allocation_count(), source.descriptor_count());
  source.require_unborrowed(operation);
  for (Allocation& allocation : source.allocations_) {
    // From here on the place of an allocation of the source says where it went.
    if (allocation.descriptor_count == 0) continue;
    allocation.next_free = place(std::move(allocation.storage), std::move(allocation.borrows));
  }
  for (Descriptor& descriptor : source.descriptors_) {
    if (descriptor.allocation == none) continue;
    slots.push_back(place(std::move(descriptor.layout), descriptor.dtype,
                          source.allocations_[descriptor.allocation].next_free));
  }
  const AllocationGroup ended = std::move(source);
  return slots;
}

std::size_t AllocationGroup::allocation_count() const {
  require_live("allocation_count");
  std::size_t count = 0;
  for (const Allocation& allocation : allocations_) count += allocation.descriptor_count != 0;
  return count;
}

std::size_t AllocationGroup::descriptor_count() const {
  require_live("descriptor_count");
  std::size_t count = 0;
  for (const Descriptor& descriptor : descriptors_) count += descriptor.allocation != none;
  return count;
}

std::vector<DescriptorSlot> AllocationGroup::slots() const {
  require_live("slots");
  std::vector<DescriptorSlot> slots;
  slots.reserve(descriptor_count());
  for (std::size_t index = 0; index < descriptors_.size(); ++index) {
    if (descriptors_[index].allocation != none) slots.push_back(slot_of(index));
  }
  return slots;
}

bool AllocationGroup::is_aliased(DescriptorSlot slot) const {
  return allocations_[entry("is_aliased", slot).allocation].descriptor_count > 1;
}

const AllocationGroup::Descriptor& AllocationGroup::entry(const char* operation, DescriptorSlot slot) const {
  require_live(operation);
  if (slot.group_tag != tag_) throw GroupError(operation, GroupError::ForeignSlot{slot, tag_});
  if (slot.index >= descriptors_.size() || descriptors_[slot.index].generation != slot.generation) {
    throw GroupError(operation, GroupError::StaleSlot{slot});
  }
  const Descriptor& descriptor = descriptors_[slot.index];
  if (descriptor.allocation == none) throw GroupError(operation, GroupError::VacantSlot{slot});
  return descriptor;
}

AllocationGroup::Descriptor& AllocationGroup::entry(const char* operation, DescriptorSlot slot) {
  return const_cast<Descriptor&>(std::as_const(*this).entry(operation, slot));
}

ViewState AllocationGroup::reading(const Descriptor& descriptor, BorrowToken&& borrow) const {
  const Storage& storage = allocation_of(descriptor).storage;
  return {storage.address(), storage.record(), Layout(descriptor.layout), descriptor.dtype,
          std::move(borrow)};
}

ViewState AllocationGroup::lend_reading(const char* operation, DescriptorSlot slot, BorrowPlace place) const {
  const Descriptor& descriptor = entry(operation, slot);
  return reading(descriptor, allocation_of(descriptor).borrows.lend(BorrowKind::shared, place.by(operation)));
}

ViewState AllocationGroup::lend_writing(const char* operation, DescriptorSlot slot, BorrowPlace place) {
  const Descriptor& descriptor = writable(operation, slot);
  return reading(descriptor,
                 allocation_of(descriptor).borrows.lend(BorrowKind::exclusive, place.by(operation)));
}

const AllocationGroup::Descriptor& AllocationGroup::writable(const char* operation, DescriptorSlot slot) {
  Descriptor& descriptor = entry(operation, slot);
  try {
    require_injective(descriptor.layout, operation);
  } catch (const ValidationError& error) {
    const auto& found = *error.get_if<OverlappingMutableLayout>();
    throw GroupError(operation, GroupError::NonInjective{slot, found.witness, found.work},
                     std::make_shared<const ValidationError>(error));
  }
  return descriptor;
}

std::vector<TensorView> AllocationGroup::read_views(std::span<const DescriptorSlot> slots,
                                                    BorrowPlace place) const& {
  require_live("read_views");
  std::vector<TensorView> views;
  views.reserve(slots.size());
  for (const DescriptorSlot slot : slots) {
    views.push_back(StateAccess::make<TensorView>(lend_reading("read_views", slot, place)));
  }
  return views;
}

std::vector<TensorViewMut> AllocationGroup::split_mut(std::span<const DescriptorSlot> slots,
                                                      BorrowPlace place) & {
  constexpr const char* operation = "split_mut";
  require_live(operation);
  for (std::size_t second = 0; second < slots.size(); ++second) {
    entry(operation, slots[second]);
    for (std::size_t first = 0; first < second; ++first) {
      if (slots[first] != slots[second]) continue;
      throw GroupError(operation, GroupError::DuplicateSlot{slots[second], first, second});
    }
  }
  std::vector<ViewState> states;
  states.reserve(slots.size());
  for (const DescriptorSlot slot : slots) states.push_back(reading(writable(operation, slot), {}));
  require_disjoint(operation, states, DisjointError::Role::slot);

  // Of one allocation the first borrows it, and the others stand beside that one.
  std::vector<BorrowToken> borrows;
  borrows.reserve(slots.size());
  for (const DescriptorSlot slot : slots) {
    const std::size_t allocation = descriptors_[slot.index].allocation;
    std::size_t first = 0;
    while (descriptors_[slots[first].index].allocation != allocation) ++first;
    borrows.push_back(first < borrows.size() ? borrows[first].beside()
                                             : allocations_[allocation].borrows.lend(BorrowKind::exclusive,
                                                                                     place.by(operation)));
  }
  std::vector<TensorViewMut> views;
  views.reserve(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    views.push_back(
        StateAccess::make<TensorViewMut>(reading(descriptors_[slots[i].index], std::move(borrows[i]))));
  }
  return views;
}

void AllocationGroup::require_unborrowed(const char* operation) const {
  require_live(operation);
  for (const Allocation& allocation : allocations_) allocation.borrows.require_free(operation);
}

void AllocationGroup::reserve(std::size_t allocations, std::size_t descriptors) {
  reserve_more(allocations_, allocations);
  reserve_more(descriptors_, descriptors);
}

std::size_t AllocationGroup::place(Storage&& storage, OwnerBorrow&& borrows) noexcept {
  Allocation allocation(std::move(storage), std::move(borrows));
  if (free_allocation_ == none) {
    allocations_.push_back(std::move(allocation));
    return allocations_.size() - 1;
  }
  const std::size_t index = free_allocation_;
  free_allocation_ = allocations_[index].next_free;
  allocations_[index] = std::move(allocation);
  return index;
}

DescriptorSlot AllocationGroup::place(Layout&& layout, DType dtype, std::size_t allocation) noexcept {
  ++allocations_[allocation].descriptor_count;
  Descriptor descriptor{std::move(layout), dtype, allocation, ++last_generation_};
  if (free_descriptor_ == none) {
    descriptors_.push_back(std::move(descriptor));
    return slot_of(descriptors_.size() - 1);
  }
  const std::size_t index = free_descriptor_;
  free_descriptor_ = descriptors_[index].next_free;
  descriptors_[index] = std::move(descriptor);
  return slot_of(index);
}

std::optional<AllocationGroup::Allocation> AllocationGroup::vacate(std::size_t index) noexcept {
  Descriptor& descriptor = descriptors_[index];
  const std::size_t place = std::exchange(descriptor.allocation, none);
  descriptor.next_free = std::exchange(free_descriptor_, index);
  Allocation& allocation = allocations_[place];
  if (--allocation.descriptor_count != 0) return std::nullopt;
  Allocation ended(std::move(allocation));
  allocation.next_free = std::exchange(free_allocation_, place);
  return ended;
}

void AllocationGroup::remove_descriptor(DescriptorSlot slot) {
  constexpr const char* operation = "remove_descriptor";
  const Allocation& allocation = allocation_of(entry(operation, slot));
  if (allocation.descriptor_count == 1) allocation.borrows.require_free(operation);
  const std::optional<Allocation> ended = vacate(slot.index);
}

void AllocationGroup::compact() {
  require_live("compact");
  std::size_t kept = descriptors_.size();
  while (kept > 0 && descriptors_[kept - 1].allocation == none) --kept;
  // All memory first: what follows cannot fail.
  decltype(allocations_) allocations;
  decltype(descriptors_) descriptors;
  allocations.reserve(allocation_count());
  descriptors.reserve(kept);
  for (Allocation& allocation : allocations_) {
    if (allocation.descriptor_count == 0) continue;
    // From here on the old place of an allocation says where it went.
    allocation.next_free = allocations.size();
    allocations.push_back(std::move(allocation));
  }
  free_allocation_ = none;
  free_descriptor_ = none;
  for (std::size_t index = 0; index < kept; ++index) {
    Descriptor& descriptor = descriptors_[index];
    if (descriptor.allocation == none) {
      descriptor.generation = 0;
      descriptor.next_free = std::exchange(free_descriptor_, index);
    } else {
      descriptor.allocation = allocations_[descriptor.allocation].next_free;
    }
    descriptors.push_back(std::move(descriptor));
  }
  // Not assigned: tables that need no heap block of their own would keep the old one.
  std::destroy_at(&allocations_);
  std::construct_at(&allocations_, std::move(allocations));
  std::destroy_at(&descriptors_);
  std::construct_at(&descriptors_, std::move(descriptors));
}

}  // namespace tenure::inline TENURE_BUILD
