// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/borrow_error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using tenure::BorrowError;
using tenure::CodePlace;

TEST_CASE(
    "BorrowError: the message says what is in the way, where it and the owner were made, and what to do") {
  const BorrowError error(BorrowError::Kind::shared_alive, "as_view_mut",
                          CodePlace{"zeros", "program.cpp", 10}, CodePlace{"as_view", "program.cpp", 12});
  CHECK(std::string(error.what()) ==
        "as_view_mut: wanted to write the elements alone, found a view that reads them, made by as_view at "
        "program.cpp:12, of the owner made by zeros at program.cpp:10; end that view first");
  CHECK(error.code() == tenure::ErrorCode::borrow);
  CHECK(error.kind() == BorrowError::Kind::shared_alive);
  CHECK(error.owner().line == 10);
  CHECK(error.view().operation == "as_view");
}

TEST_CASE("BorrowError: each kind has its sentence and its name") {
  const auto sentence = [](BorrowError::Kind kind) {
    return std::string(BorrowError(kind, "use", {"add", "", 0}, {"as_view", "a.cpp", 1}).message());
  };
  CHECK(sentence(BorrowError::Kind::exclusive_alive).find("found a view that writes them") !=
        std::string::npos);
  CHECK(sentence(BorrowError::Kind::child_alive).find("end the child first") != std::string::npos);
  CHECK(sentence(BorrowError::Kind::consumed).find("wanted an owner that nobody borrows") !=
        std::string::npos);
  CHECK(sentence(BorrowError::Kind::consumed).find("of the owner made by add;") != std::string::npos);
  CHECK(tenure::borrow_error_kind_name(BorrowError::Kind::shared_alive) == "shared_alive");
  CHECK(tenure::borrow_error_kind_name(BorrowError::Kind::consumed) == "consumed");
  CHECK(tenure::borrow_error_kind_name(static_cast<BorrowError::Kind>(99)) == "unknown");
}

TEST_CASE("CodePlace: says what is known of it") {
  CHECK(tenure::text_of({"as_view", "program.cpp", 12}) == "as_view at program.cpp:12");
  CHECK(tenure::text_of({"add", "", 0}) == "add");
  CHECK(tenure::text_of({}) == "an unnamed operation");
}

static_assert(std::is_nothrow_copy_constructible_v<BorrowError> && std::is_final_v<BorrowError>);
