// SPDX-License-Identifier: Apache-2.0
#include "execution/operand_list.hpp"

#include <algorithm>

#include "memory/allocation_record.hpp"
#include "memory/mappable.hpp"
#include "tenure/abi/struct_head.hpp"

namespace tenure::inline TENURE_BUILD {

tenure_operand& OperandList::describe(const ViewState& state, std::uint32_t access) {
  boxes_[count_].state = &state;
  tenure_operand& operand = operands_[count_++];
  operand.head = abi::head_of<tenure_operand>();
  operand.address = nullptr;
  operand.storage = nullptr;
  operand.offset_bytes = 0;
  operand.dtype = state.dtype().abi();
  operand.access = access;
  operand.zero = 0;
  return operand;
}

void OperandList::add(const ViewState& state, std::span<const std::int64_t> extents, std::uint32_t access) {
  tenure_operand& operand = describe(state, access);
  const Layout& layout = state.layout();
  operand.rank = static_cast<std::uint32_t>(extents.size());
  operand.extents = layout.extents().data();
  operand.strides = layout.strides().data();
  if (std::ranges::equal(extents, layout.extents())) return;
  Box& box = boxes_[count_ - 1];
  box.extents.assign(extents.begin(), extents.end());
  box.strides.assign(layout.strides().begin(), layout.strides().end());
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (layout.extents()[axis] != extents[axis]) box.strides[axis] = 0;
  }
  operand.extents = box.extents.data();
  operand.strides = box.strides.data();
}

void OperandList::add_output(const ViewState& state, std::span<const std::int64_t> extents,
                             std::span<const std::int64_t> strides) {
  tenure_operand& operand = describe(state, TENURE_OPERAND_WRITE);
  Box& box = boxes_[count_ - 1];
  box.extents.assign(extents.begin(), extents.end());
  box.strides.assign(strides.begin(), strides.end());
  operand.rank = static_cast<std::uint32_t>(extents.size());
  operand.extents = box.extents.data();
  operand.strides = box.strides.data();
}

std::uint32_t OperandList::access_to(const AllocationRecord* record) const noexcept {
  std::uint32_t access = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const ViewState& state = *boxes_[i].state;
    if (state.record() == record && !state.layout().is_empty()) access |= operands_[i].access;
  }
  return access;
}

void OperandList::require_mappable(const char* operation) const {
  static_assert(TENURE_OPERAND_READ == TENURE_ACCESS_HOST_READ &&
                TENURE_OPERAND_WRITE == TENURE_ACCESS_HOST_WRITE);
  for (std::size_t i = 0; i < count_; ++i) {
    const AllocationRecord* record = boxes_[i].state->record();
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
    const ViewState& state = *boxes_[i].state;
    if (state.layout().is_empty()) continue;
    std::byte* const address =
        state.record() == nullptr ? state.address() : mapping_of(operation, state, maps).address();
    operands_[i].address =
        address + state.layout().offset() * static_cast<std::int64_t>(state.dtype().bytes());
  }
}

}  // namespace tenure::inline TENURE_BUILD
