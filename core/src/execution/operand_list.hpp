// SPDX-License-Identifier: Apache-2.0
// operand_list: the operands of one operation as the contract describes them, mapped while it runs.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>

#include "tenure/memory/storage_map.hpp"
#include "tenure/provider_engine.h"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// Refers to the states that were added, but not after map(), so that an output may end before its list.
// Allocates for more than four operands, and for broadcast operands of more than eight axes.
class OperandList {
 public:
  // Exactly `count` operands are added.
  explicit OperandList(std::size_t count) : operands_(count, boost::container::default_init), boxes_(count) {}

  // Inputs first, then outputs. With `extents`, of the same rank, axes of extent 1 are repeated.
  void add_input(const ViewState& state, std::span<const std::int64_t> extents) {
    add(state, extents, TENURE_OPERAND_READ);
  }
  void add_output(const ViewState& state) { add(state, state.layout().extents(), TENURE_OPERAND_WRITE); }
  // An output seen with axes that it does not have: extents and strides as given.
  void add_output(const ViewState& state, std::span<const std::int64_t> extents,
                  std::span<const std::int64_t> strides);
  // The last output is read as well.
  void read_output() noexcept { operands_[count_ - 1].access |= TENURE_OPERAND_READ; }

  // Throws AccessError (not_mappable) unless the host may map every operand for what is done with it.
  void require_mappable(const char* operation) const;
  struct Mapping {
    AllocationRecord* record;
    StorageMap map;
  };
  using Mappings = boost::container::small_vector<Mapping, 4>;
  // Gives each operand its host address, for as long as the maps live that it puts into `maps`. One map for
  // each allocation, a write map where one of its operands is written. Throws AccessError, ProviderError.
  void map(const char* operation, Mappings& maps);

  std::span<const tenure_operand> operands() const noexcept { return {operands_.data(), operands_.size()}; }

 private:
  using Numbers = boost::container::small_vector<std::int64_t, 8>;
  struct Box {
    const ViewState* state = nullptr;
    Numbers extents;  // empty: the layout's own
    Numbers strides;
  };

  void add(const ViewState& state, std::span<const std::int64_t> extents, std::uint32_t access);
  tenure_operand& describe(const ViewState& state, std::uint32_t access);
  // How the operands in one allocation are accessed, all together.
  std::uint32_t access_to(const AllocationRecord* record) const noexcept;
  const StorageMap& mapping_of(const char* operation, const ViewState& state, Mappings& maps) const;

  boost::container::small_vector<tenure_operand, 4> operands_;
  boost::container::small_vector<Box, 4> boxes_;
  std::size_t count_ = 0;
};

}  // namespace tenure::inline TENURE_BUILD
