// SPDX-License-Identifier: Apache-2.0
#include "execution/operand_list.hpp"

#include <algorithm>

#include "memory/allocation_record.hpp"
#include "memory/mappable.hpp"

namespace tenure::inline TENURE_BUILD {

void OperandList::make_room() {
  more().operands.resize(size_);
  more().states.resize(size_);
  operands_ = more().operands.data();
  states_ = more().states.data();
}

OperandList::More& OperandList::more() {
  if (more_ == nullptr) more_ = std::make_unique<More>();
  return *more_;
}

void OperandList::broadcast(const Layout& layout, std::span<const std::int64_t> extents) {
  const Axes axes = add_axes(extents.size());
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    axes.extents[axis] = extents[axis];
    axes.strides[axis] = layout.extents()[axis] == extents[axis] ? layout.strides()[axis] : 0;
  }
}

void OperandList::add_output(const ViewState& state, std::span<const std::int64_t> extents,
                             std::span<const std::int64_t> strides) {
  describe(state, TENURE_OPERAND_WRITE);
  const Axes axes = add_axes(extents.size());
  std::ranges::copy(extents, axes.extents);
  std::ranges::copy(strides, axes.strides);
}

OperandList::Axes OperandList::add_axes(std::size_t rank) {
  std::int64_t* numbers = numbers_ + number_count_;
  if (2 * rank <= few_numbers - number_count_) {
    number_count_ += 2 * rank;
  } else {
    more().numbers.push_back(std::make_unique_for_overwrite<std::int64_t[]>(2 * rank));
    numbers = more().numbers.back().get();
  }
  tenure_operand& operand = operands_[count_ - 1];
  operand.rank = static_cast<std::uint32_t>(rank);
  operand.extents = numbers;
  operand.strides = numbers + rank;
  return {numbers, numbers + rank};
}

std::uint32_t OperandList::access_to(const AllocationRecord* record) const noexcept {
  std::uint32_t access = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const ViewState& state = *states_[i];
    if (state.record() == record && !state.layout().is_empty()) access |= operands_[i].access;
  }
  return access;
}

void OperandList::require_records_mappable(const char* operation) const {
  static_assert(TENURE_OPERAND_READ == TENURE_ACCESS_HOST_READ &&
                TENURE_OPERAND_WRITE == TENURE_ACCESS_HOST_WRITE);
  for (std::size_t i = 0; i < count_; ++i) {
    const AllocationRecord* record = states_[i]->record();
    if (record != nullptr) tenure::require_mappable(operation, *record->domain, access_to(record));
  }
}

const StorageMap& OperandList::mapping_of(const char* operation, const ViewState& state,
                                          Mappings& maps) const {
  for (const Mapping& mapping : maps) {
    if (mapping.record == state.record()) return mapping.map;
  }
  const bool is_written = (access_to(state.record()) & TENURE_OPERAND_WRITE) != 0;
  maps.push_back({state.record(), StorageMap(operation, state.address(), state.record(),
                                             is_written ? MapAccess::write : MapAccess::read)});
  return maps.back().map;
}

void OperandList::map(const char* operation, Mappings& maps) {
  require_mappable(operation);
  for (std::size_t i = 0; i < count_; ++i) {
    const ViewState& state = *states_[i];
    if (state.record() == nullptr || state.layout().is_empty()) continue;
    std::byte* const address = mapping_of(operation, state, maps).address();
    operands_[i].address =
        address + state.layout().offset() * static_cast<std::int64_t>(state.dtype().bytes());
  }
}

}  // namespace tenure::inline TENURE_BUILD
