// SPDX-License-Identifier: Apache-2.0
// What a group checks of a descriptor: before one is added or changed, and before its tensor leaves.
#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "tensor/storage_fit.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/reinterpretation.hpp"
#include "tenure/tensor/allocation_group.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// `layout` counts elements from `offset_bytes`; the result counts them from the first byte.
Layout shifted(const Layout& layout, DType dtype, std::size_t offset_bytes) {
  if (offset_bytes == 0 || layout.is_empty()) return layout;
  const std::size_t element_bytes = dtype.bytes();
  if (offset_bytes % element_bytes != 0) {
    throw ValidationError("add_descriptor", Misaligned{element_bytes, offset_bytes & -offset_bytes});
  }
  const std::size_t offset = offset_bytes / element_bytes;
  // Layouts hold offsets up to half of this range; what is larger lies outside of every allocation.
  if (offset > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max() / 2) ||
      layout.offset() > std::numeric_limits<std::int64_t>::max() / 2) {
    throw ValidationError("add_descriptor", IntegerOverflow{"offset of the descriptor"});
  }
  Layout result = Layout::strided(layout.extents(), layout.strides(),
                                  layout.offset() + static_cast<std::int64_t>(offset));
  result.record_injectivity(layout.injectivity());
  return result;
}

}  // namespace

DescriptorSlot AllocationGroup::add_descriptor(DescriptorSlot slot, DType dtype, const Layout& layout,
                                               std::size_t offset_bytes) {
  constexpr const char* operation = "add_descriptor";
  const Descriptor& existing = entry(operation, slot);
  if (existing.dtype.is_boolean() != dtype.is_boolean()) {
    throw ValidationError(operation, UnsupportedReinterpretation{std::string(existing.dtype.name()),
                                                                 std::string(dtype.name())});
  }
  try {
    Layout placed = shifted(layout, dtype, offset_bytes);
    require_fits(operation, allocation_of(existing).storage, dtype, placed);
    const std::size_t allocation = existing.allocation;
    reserve(0, 1);
    return place(std::move(placed), dtype, allocation);
  } catch (const ValidationError& error) {
    throw error.with_operation(operation);
  }
}

void AllocationGroup::update_layout(DescriptorSlot slot, const Layout& layout) {
  constexpr const char* operation = "update_layout";
  Descriptor& descriptor = entry(operation, slot);
  try {
    require_fits(operation, allocation_of(descriptor).storage, descriptor.dtype, layout);
    descriptor.layout = layout;
  } catch (const ValidationError& error) {
    throw error.with_operation(operation);
  }
}

void AllocationGroup::reinterpret(DescriptorSlot slot, DType dtype) {
  constexpr const char* operation = "reinterpret";
  Descriptor& descriptor = entry(operation, slot);
  require_alone(operation, slot);
  try {
    Layout layout = reinterpret_layout(descriptor.layout, descriptor.dtype, dtype);
    require_fits(operation, allocation_of(descriptor).storage, dtype, layout);
    descriptor.layout = std::move(layout);
    descriptor.dtype = dtype;
  } catch (const ValidationError& error) {
    throw error.with_operation(operation);
  }
}

void AllocationGroup::require_alone(const char* operation, DescriptorSlot slot) const {
  const std::size_t allocation = descriptors_[slot.index].allocation;
  if (allocations_[allocation].descriptor_count == 1) return;
  std::vector<DescriptorSlot> others;
  for (std::size_t index = 0; index < descriptors_.size(); ++index) {
    if (index != slot.index && descriptors_[index].allocation == allocation) others.push_back(slot_of(index));
  }
  throw GroupError(operation, GroupError::AliasedAllocation{slot, std::move(others)});
}

void AllocationGroup::require_extractable(const char* operation, DescriptorSlot slot) const {
  const Descriptor& descriptor = descriptors_[slot.index];
  const Storage& storage = allocation_of(descriptor).storage;
  const Layout& layout = descriptor.layout;
  const bool is_compact = layout.is_column_major();
  const auto bytes = static_cast<std::size_t>(layout.element_count()) * descriptor.dtype.bytes();
  if (is_compact && layout.offset() == 0 && bytes == storage.bytes()) return;
  const auto obstacle = !is_compact            ? GroupError::Obstacle::not_compact
                        : layout.offset() != 0 ? GroupError::Obstacle::offset
                                               : GroupError::Obstacle::not_full_span;
  std::vector<std::string_view> copies{is_compact ? "duplicate" : "to_col_major"};
  if (storage.address() == nullptr && storage.bytes() != 0) copies.emplace_back("download");
  throw GroupError(operation, GroupError::NotExtractable{slot, obstacle, std::move(copies)});
}

OwnerShape AllocationGroup::takeable(const char* operation, DescriptorSlot slot, std::optional<DType> dtype,
                                     int rank) const {
  const Descriptor& descriptor = entry(operation, slot);
  if (dtype) reading(descriptor, {}).require_type(operation, *dtype, rank);
  require_alone(operation, slot);
  require_extractable(operation, slot);
  return {operation, descriptor.dtype, descriptor.layout.extents()};
}

OwnerState AllocationGroup::vacate_to(DescriptorSlot slot, OwnerShape&& shape) noexcept {
  Allocation taken = std::move(*vacate(slot.index));
  return {std::move(shape), std::move(taken.storage), std::move(taken.borrows)};
}

OwnerState AllocationGroup::take(const char* operation, DescriptorSlot slot, std::optional<DType> dtype,
                                 int rank) {
  OwnerShape shape = takeable(operation, slot, dtype, rank);
  allocation_of(descriptors_[slot.index]).borrows.require_free(operation);
  return vacate_to(slot, std::move(shape));
}

OwnerState AllocationGroup::take_from_last(const char* operation, DescriptorSlot slot,
                                           std::optional<DType> dtype, int rank) {
  OwnerShape shape = takeable(operation, slot, dtype, rank);
  require_unborrowed(operation);
  return vacate_to(slot, std::move(shape));
}

OwnerState AllocationGroup::take_only(const char* operation, DType dtype, int rank) {
  require_live(operation);
  if (allocation_count() != 1 || descriptor_count() != 1) {
    throw GroupError(operation, GroupError::NotOneEntry{allocation_count(), descriptor_count()});
  }
  std::size_t index = 0;
  while (descriptors_[index].allocation == none) ++index;
  const DescriptorSlot slot = slot_of(index);
  OwnerShape shape = takeable(operation, slot, dtype, rank);
  const Storage& storage = allocation_of(descriptors_[index]).storage;
  require_host_address(operation, storage.address(), storage.record());
  require_unborrowed(operation);
  OwnerState taken = vacate_to(slot, std::move(shape));
  const AllocationGroup ended = std::move(*this);
  return taken;
}

}  // namespace tenure::inline TENURE_BUILD
