// SPDX-License-Identifier: Apache-2.0
// operand_list: the operands of one operation as the contract describes them, mapped while it runs.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tenure/abi/equal_numbers.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/memory/storage_map.hpp"
#include "tenure/provider_engine.h"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// Refers to the states that were added, but not after map(), so that an output may end before its list.
// Allocates for more than four operands, and where more than a few axes are not as their layouts say.
class OperandList {
 public:
  // Exactly `count` operands are added.
  explicit OperandList(std::size_t count) : size_(count), operands_(few_operands_), states_(few_states_) {
    if (count > few_max) make_room();
  }
  OperandList(const OperandList&) = delete;
  OperandList& operator=(const OperandList&) = delete;

  // Inputs first, then outputs. With `extents`, of the same rank, axes of extent 1 are repeated.
  void add_input(const ViewState& state, std::span<const std::int64_t> extents) {
    describe(state, TENURE_OPERAND_READ);
    if (!abi::have_equal_numbers(extents, state.layout().extents())) broadcast(state.layout(), extents);
  }
  void add_output(const ViewState& state) { describe(state, TENURE_OPERAND_WRITE); }
  // An output seen with axes that it does not have: extents and strides as given.
  void add_output(const ViewState& state, std::span<const std::int64_t> extents,
                  std::span<const std::int64_t> strides);
  // The last output is read as well.
  void read_output() noexcept { operands_[count_ - 1].access |= TENURE_OPERAND_READ; }

  // Throws AccessError (not_mappable) unless the host may map every operand for what is done with it.
  void require_mappable(const char* operation) const {
    if (has_records_) require_records_mappable(operation);
  }
  struct Mapping {
    AllocationRecord* record;
    StorageMap map;
  };
  using Mappings = boost::container::small_vector<Mapping, 4>;
  // Whether some are in memory of a provider, which must be mapped. The others have their addresses.
  bool has_records() const noexcept { return has_records_; }
  // Gives each operand its host address, for as long as the maps live that it puts into `maps`. One map for
  // each allocation, a write map where one of its operands is written. Throws AccessError, ProviderError.
  void map(const char* operation, Mappings& maps);

  std::span<const tenure_operand> operands() const noexcept { return {operands_, size_}; }

 private:
  // Extents and strides of an operand.
  struct Axes {
    std::int64_t* extents;
    std::int64_t* strides;
  };
  struct More {
    std::vector<tenure_operand> operands;
    std::vector<const ViewState*> states;
    std::vector<std::unique_ptr<std::int64_t[]>> numbers;
  };
  static constexpr std::size_t few_max = 4;
  static constexpr std::size_t few_numbers = few_max * 12;  // of rank 6

  void make_room();
  More& more();
  // As the layout has it; without an address where there are no elements or a map is wanted.
  void describe(const ViewState& state, std::uint32_t access) {
    const Layout& layout = state.layout();
    has_records_ |= state.record() != nullptr;
    std::byte* address = nullptr;
    if (state.record() == nullptr && !layout.is_empty()) {
      address = state.address() + layout.offset() * static_cast<std::int64_t>(state.dtype().bytes());
    }
    states_[count_] = &state;
    operands_[count_++] = {.head = abi::head_of<tenure_operand>(),
                           .address = address,
                           .storage = nullptr,
                           .offset_bytes = 0,
                           .extents = layout.extents().data(),
                           .strides = layout.strides().data(),
                           .dtype = state.dtype().abi(),
                           .rank = static_cast<std::uint32_t>(layout.rank()),
                           .access = access,
                           .zero = 0};
  }
  // Gives the last operand these extents.
  void broadcast(const Layout& layout, std::span<const std::int64_t> extents);
  // Gives the last operand axes of its own, to be filled in.
  Axes add_axes(std::size_t rank);
  void require_records_mappable(const char* operation) const;
  // How the operands in one allocation are accessed, all together.
  std::uint32_t access_to(const AllocationRecord* record) const noexcept;
  const StorageMap& mapping_of(const char* operation, const ViewState& state, Mappings& maps) const;

  std::size_t size_;  // as announced
  tenure_operand* operands_;
  const ViewState** states_;
  std::size_t count_ = 0;
  std::size_t number_count_ = 0;
  bool has_records_ = false;
  tenure_operand few_operands_[few_max];
  const ViewState* few_states_[few_max];
  std::unique_ptr<More> more_;  // where the few do not do
  std::int64_t numbers_[few_numbers];
};

}  // namespace tenure::inline TENURE_BUILD
