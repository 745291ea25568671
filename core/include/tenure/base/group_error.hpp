// SPDX-License-Identifier: Apache-2.0
// group_error: a slot of an allocation group that does not hold what was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tenure/base/descriptor_slot.hpp"
#include "tenure/base/error.hpp"
#include "tenure/base/index_pair.hpp"

namespace tenure::inline TENURE_BUILD {

// The group and every argument are as they were.
class TENURE_API GroupError final : public Error {
 public:
  // The descriptor was taken out or removed, and its place has not been given away since.
  struct VacantSlot {
    DescriptorSlot slot;
  };
  // The descriptor is gone, and its place was given to another one or dropped by compact().
  struct StaleSlot {
    DescriptorSlot slot;
  };
  // The slot was made by another group, or by none.
  struct ForeignSlot {
    DescriptorSlot slot;
    std::uint64_t group_tag;  // of the group that was asked
  };
  // One slot was named twice where each must be named once.
  struct DuplicateSlot {
    DescriptorSlot slot;
    std::size_t first_position;
    std::size_t second_position;
  };
  // Other descriptors read the same allocation.
  struct AliasedAllocation {
    DescriptorSlot slot;
    std::vector<DescriptorSlot> others;
  };
  // Two indices of the descriptor name one element, or the search for such gave up; the cause says more.
  struct NonInjective {
    DescriptorSlot slot;
    std::optional<IndexPair> witness;  // two indices of one element; none when undecided
    std::uint64_t work;                // search steps spent
  };
  enum class Obstacle {
    not_compact,    // the elements do not lie in one run with the first axis fastest
    offset,         // the first element is not at the first byte
    not_full_span,  // the allocation is larger than the elements
  };
  // A tensor owns its allocation from the first byte to the last and is compact; this descriptor is not.
  struct NotExtractable {
    DescriptorSlot slot;
    Obstacle obstacle;
    std::vector<std::string_view> copies;  // operations on read_view(slot) whose result is a tensor
  };
  // A group of exactly one allocation and one descriptor was wanted.
  struct NotOneEntry {
    std::size_t allocation_count;
    std::size_t descriptor_count;
  };
  using Detail = std::variant<VacantSlot, StaleSlot, ForeignSlot, DuplicateSlot, AliasedAllocation,
                              NonInjective, NotExtractable, NotOneEntry>;

  // The message is made from the detail.
  GroupError(std::string operation, Detail detail, std::shared_ptr<const Error> cause = nullptr);
  ~GroupError() override;
  GroupError(const GroupError&) noexcept;
  GroupError& operator=(const GroupError&) noexcept;

  const Detail& detail() const noexcept { return *detail_; }
  // The detail if it is a T, otherwise null: `error.get_if<GroupError::VacantSlot>()`.
  template <class T>
  const T* get_if() const noexcept {
    return std::get_if<T>(detail_.get());
  }

 private:
  std::shared_ptr<const Detail> detail_;
};

}  // namespace tenure::inline TENURE_BUILD
