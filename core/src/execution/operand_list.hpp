// SPDX-License-Identifier: Apache-2.0
// operand_list: the operands of one operation as the contract describes them, mapped while it runs.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tenure/memory/storage_map.hpp"
#include "tenure/provider_engine.h"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// Refers to the states that were added, but not after map(), so that an output may end before its list.
// Allocates for more than four operands, and where more than a few axes are not as their layouts say.
class OperandList {
 public:
  // Exactly `count` operands are added.
  explicit OperandList(std::size_t count)
      : operands_(count, boost::container::default_init), states_(count, boost::container::default_init) {}
  OperandList(const OperandList&) = delete;
  OperandList& operator=(const OperandList&) = delete;

  // Inputs first, then outputs. With `extents`, of the same rank, axes of extent 1 are repeated.
  void add_input(const ViewState& state, std::span<const std::int64_t> extents);
  void add_output(const ViewState& state) { describe(state, TENURE_OPERAND_WRITE); }
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
  // Extents and strides of an operand.
  struct Axes {
    std::int64_t* extents;
    std::int64_t* strides;
  };
  static constexpr std::size_t few_numbers = 48;  // of four operands of rank 6

  // As the layout has it; without an address.
  void describe(const ViewState& state, std::uint32_t access);
  // Gives the last operand axes of its own, to be filled in.
  Axes add_axes(std::size_t rank);
  // How the operands in one allocation are accessed, all together.
  std::uint32_t access_to(const AllocationRecord* record) const noexcept;
  const StorageMap& mapping_of(const char* operation, const ViewState& state, Mappings& maps) const;

  boost::container::small_vector<tenure_operand, 4> operands_;
  boost::container::small_vector<const ViewState*, 4> states_;
  std::size_t count_ = 0;
  std::size_t number_count_ = 0;
  std::int64_t numbers_[few_numbers];
  std::vector<std::unique_ptr<std::int64_t[]>> more_numbers_;
};

}  // namespace tenure::inline TENURE_BUILD
