// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/group_error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include "support/caught.hpp"

using tenure::DescriptorSlot;
using tenure::GroupError;
using tenure_test::contains;

TEST_CASE("GroupError: every kind names the slot, what was found and what to do") {
  const DescriptorSlot slot{3, 7, 2};
  const auto text = [](GroupError::Detail detail) {
    return std::string(GroupError("take_tensor", std::move(detail)).what());
  };
  CHECK(text(GroupError::VacantSlot{slot}) ==
        "take_tensor: slot 3 is vacant: its descriptor was taken or removed; slots() lists those that are "
        "left");
  CHECK(contains(text(GroupError::StaleSlot{slot}), "slot 3 of generation 7 is stale"));
  CHECK(contains(text(GroupError::ForeignSlot{slot, 5}), "wanted a slot of group 5, found one of group 2"));
  CHECK(contains(text(GroupError::ForeignSlot{DescriptorSlot{}, 5}), "found a slot of no group"));
  CHECK(contains(text(GroupError::DuplicateSlot{slot, 0, 2}), "found slot 3 at positions 0 and 2"));
  CHECK(contains(text(GroupError::AliasedAllocation{slot, {{1, 1, 2}}}), "with slot 1; remove those"));
  CHECK(contains(text(GroupError::AliasedAllocation{slot, {{1, 1, 2}, {4, 2, 2}}}), "with slots 1, 4; "));
  CHECK(contains(text(GroupError::NonInjective{slot, tenure::IndexPair{{0}, {1}}, 4}),
                 "names each element once, found that of slot 3; write to"));
  CHECK(contains(text(GroupError::NonInjective{slot, std::nullopt, 70}),
                 "found that of slot 3, of which 70 steps could not prove it; write to"));
  CHECK(contains(text(GroupError::NotExtractable{slot, GroupError::Obstacle::offset, {"duplicate"}}),
                 "does not begin at the first byte; copy its elements with duplicate of read_view"));
  CHECK(contains(
      text(GroupError::NotExtractable{slot, GroupError::Obstacle::not_compact, {"to_col_major", "download"}}),
      "in one run with the first axis fastest; copy its elements with to_col_major or download of"));
  CHECK(contains(text(GroupError::NotExtractable{slot, GroupError::Obstacle::not_full_span, {"duplicate"}}),
                 "leaves a part of the allocation out"));
  CHECK(contains(text(GroupError::NotOneEntry{2, 3}), "found 2 and 3"));
}

TEST_CASE("GroupError: carries its detail and its code") {
  const GroupError error("view_mut", GroupError::VacantSlot{{3, 7, 2}});
  CHECK(error.code() == tenure::ErrorCode::group);
  REQUIRE(error.get_if<GroupError::VacantSlot>() != nullptr);
  CHECK(error.get_if<GroupError::VacantSlot>()->slot == DescriptorSlot{3, 7, 2});
  CHECK(error.get_if<GroupError::StaleSlot>() == nullptr);
}

static_assert(std::is_nothrow_copy_constructible_v<GroupError> && std::is_final_v<GroupError>);
