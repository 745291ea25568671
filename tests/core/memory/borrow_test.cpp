// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/borrow.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "support/caught.hpp"
#include "tenure/base/borrow_error.hpp"
#include "tenure/memory/borrow_violation.hpp"

using namespace tenure;
using tenure_test::caught;

namespace {

BorrowPlace place(const char* operation) { return BorrowPlace::here().by(operation); }

// Whether `owner` lends in this way now.
bool lends(const OwnerBorrow& owner, BorrowKind kind) {
  try {
    const BorrowToken token = owner.lend(kind, place("lends"));
    return true;
  } catch (const BorrowError&) {
    return false;
  }
}

constexpr BorrowKind kinds[] = {BorrowKind::shared, BorrowKind::exclusive, BorrowKind::read_operand,
                                BorrowKind::write_operand};

}  // namespace

TEST_CASE("OwnerBorrow: which borrows exclude each other") {
  // By the kind that is alive, then by the kind that is asked for.
  constexpr bool expected[4][4] = {
      {true, false, true, false},    // beside a view that reads
      {false, false, false, false},  // beside a view that writes
      {true, false, true, true},     // beside an operand that is read
      {false, false, true, true},    // beside an operand that is written
  };
  const OwnerBorrow owner(place("owner"));
  for (int alive = 0; alive < 4; ++alive) {
    const BorrowToken token = owner.lend(kinds[alive], place("alive"));
    for (int wanted = 0; wanted < 4; ++wanted) {
      CAPTURE(alive);
      CAPTURE(wanted);
      CHECK(lends(owner, kinds[wanted]) == expected[alive][wanted]);
    }
  }
  CHECK(lends(owner, BorrowKind::exclusive));
}

TEST_CASE("OwnerBorrow: lends to more views than its block has room for and forgets each that ends") {
  const OwnerBorrow owner(place("owner"));
  std::vector<BorrowToken> tokens;
  for (int i = 0; i < 100; ++i) tokens.push_back(owner.lend(BorrowKind::shared, place("view")));
  const std::vector<BorrowToken> copies = tokens;
  for (int round = 0; round < 3; ++round) {
    while (tokens.size() > 40) tokens.pop_back();
    CHECK_FALSE(lends(owner, BorrowKind::exclusive));
    while (tokens.size() < 60) tokens.push_back(tokens.front());
  }
  tokens.clear();
  const auto error = caught<BorrowError>([&] { return owner.lend(BorrowKind::exclusive, place("writer")); });
  CHECK(error.operation() == "writer");
  CHECK(error.owner().operation == "owner");
  CHECK(error.view().operation == "view");
}

TEST_CASE("BorrowToken: the last child of an exclusive borrow ends it, in whatever order they end") {
  const OwnerBorrow owner(place("owner"));
  std::vector<BorrowToken> chain{owner.lend(BorrowKind::exclusive, place("view"))};
  for (int depth = 0; depth < 40; ++depth) chain.push_back(BorrowToken(chain.back()));
  CHECK(caught<BorrowError>([&] {
          chain.front().require_alone("use");
          return 0;
        }).kind() == BorrowError::Kind::child_alive);
  chain.erase(chain.begin(), chain.end() - 1);
  CHECK_FALSE(lends(owner, BorrowKind::shared));
  chain.back().require_alone("use");
  chain.clear();
  CHECK(lends(owner, BorrowKind::exclusive));
}

TEST_CASE("BorrowToken: borrows beside each other exclude their parent until both have ended") {
  const OwnerBorrow owner(place("owner"));
  const BorrowToken whole = owner.lend(BorrowKind::exclusive, place("view"));
  BorrowToken first = whole;
  BorrowToken second = first.beside();
  first.require_alone("use");
  second.require_alone("use");
  first = BorrowToken();
  CHECK_THROWS_AS(whole.require_alone("use"), BorrowError);
  second = BorrowToken();
  whole.require_alone("use");
}

TEST_CASE("BorrowToken: one that was never lent tracks nothing") {
  const BorrowToken none;
  const BorrowToken copy = none;
  const BorrowToken child = none.lend(BorrowKind::exclusive, place("child"));
  const BorrowToken other = none.beside();
  none.require_alone("use");
  none.require_alive("use");
}

TEST_CASE("OwnerBorrow: what was lent outlives the owner's end without harm, and says so when it is used") {
  static int dangling;
  dangling = 0;
  set_borrow_violation_handler([](const BorrowViolation& violation) noexcept {
    if (violation.kind == BorrowViolation::Kind::view_dangling) ++dangling;
  });
  BorrowToken token;
  {
    const OwnerBorrow owner(place("owner"));
    token = owner.lend(BorrowKind::exclusive, place("view"));
  }
  BorrowToken child = token;
  child.require_alive("use");
  token = BorrowToken();
  child.require_alive("use");
  child = BorrowToken();
  set_borrow_violation_handler(nullptr);
  CHECK(dangling == 2);
}

TEST_CASE("OwnerBorrow: a moved owner lends anew, and what was moved to keeps the place") {
  OwnerBorrow owner(place("owner"));
  CHECK(lends(owner, BorrowKind::exclusive));
  OwnerBorrow moved = std::move(owner);
  const BorrowToken token = moved.lend(BorrowKind::shared, place("view"));
  CHECK(lends(owner, BorrowKind::exclusive));
  const auto error = caught<BorrowError>([&] {
    moved.require_free("consume");
    return 0;
  });
  CHECK(error.kind() == BorrowError::Kind::consumed);
  CHECK(error.owner().operation == "owner");
}
