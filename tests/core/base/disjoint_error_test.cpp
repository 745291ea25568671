// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/disjoint_error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using tenure::DisjointError;
using tenure::ElementIndex;

TEST_CASE("DisjointError: a proven overlap carries the two elements that share a byte, and whose they are") {
  const DisjointError error("copy_into", {{1, 2}, {3}}, 40,
                            {{DisjointError::Role::output, 0}, {DisjointError::Role::input, 1}});
  CHECK(error.kind() == DisjointError::Kind::overlap);
  REQUIRE(error.witness() != nullptr);
  CHECK(error.witness()->second == ElementIndex{3});
  CHECK(error.work() == 40);
  CHECK(error.message() ==
        "wanted operands without a common byte, found that element [1, 2] of output 0 and element [3] of "
        "input 1 share one; give each bytes of its own");
  CHECK(error.operands().second == DisjointError::Operand{DisjointError::Role::input, 1});
  CHECK(error.rule() == DisjointError::Rule::no_common_byte);
  const DisjointError copy = error;
  CHECK(copy.witness() == error.witness());
}

TEST_CASE("DisjointError: an output that may be an input index by index is told so") {
  const DisjointError error("add_into", {{0, 1}, {1, 0}}, 40,
                            {{DisjointError::Role::output, 0}, {DisjointError::Role::input, 0}},
                            DisjointError::Rule::same_index);
  CHECK(error.rule() == DisjointError::Rule::same_index);
  CHECK(error.message() ==
        "wanted an output that shares bytes with an input at the same index only, found that element [0, 1] "
        "of output 0 and element [1, 0] of input 0 share one; write to memory of its own, or to the very "
        "elements that are read");
}

TEST_CASE("DisjointError: an undecided search says how far it went") {
  const DisjointError error("split_mut", 1000,
                            {{DisjointError::Role::slot, 3}, {DisjointError::Role::slot, 7}});
  CHECK(error.kind() == DisjointError::Kind::undecided);
  CHECK(error.witness() == nullptr);
  CHECK(error.work() == 1000);
  CHECK(error.operands().first.number == 3);
  CHECK(error.operands().second.number == 7);
  CHECK(error.message().find("1000 steps of search did not decide it of slot 3 and slot 7") !=
        std::string_view::npos);
  CHECK(error.code() == tenure::ErrorCode::disjoint);
  const DisjointError parts("try_multi_slice_mut", 1,
                            {{DisjointError::Role::part, 0}, {DisjointError::Role::part, 1}});
  CHECK(parts.message().find("1 step of search did not decide it of part 0 and part 1") !=
        std::string_view::npos);
}

static_assert(std::is_nothrow_copy_constructible_v<DisjointError> && std::is_final_v<DisjointError>);
