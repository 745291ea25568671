// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/borrow_error.hpp"

#include <array>

namespace tenure::inline TENURE_BUILD {
namespace {

std::string message_of(BorrowError::Kind kind, const CodePlace& owner, const CodePlace& view) {
  struct Words {
    const char* wanted;
    const char* found;
    const char* advice;
  };
  constexpr std::array<Words, 4> words{{
      {"to write the elements alone", "a view that reads them", "end that view first"},
      {"elements that nobody writes", "a view that writes them",
       "end that view first, or make this one of it"},
      {"a view that is not lent on", "a child of it that is alive", "end the child first"},
      {"an owner that nobody borrows", "a view of it that is alive", "end that view first"},
  }};
  const Words& said = words[static_cast<std::size_t>(kind)];
  return std::string("wanted ") + said.wanted + ", found " + said.found + ", made by " + text_of(view) +
         ", of the owner made by " + text_of(owner) + "; " + said.advice;
}

}  // namespace

BorrowError::BorrowError(Kind kind, std::string operation, const CodePlace& owner, const CodePlace& view)
    : Error(ErrorCode::borrow, std::move(operation), message_of(kind, owner, view)),
      kind_(kind),
      owner_(owner),
      view_(view) {}

BorrowError::~BorrowError() = default;
BorrowError::BorrowError(const BorrowError&) noexcept = default;
BorrowError& BorrowError::operator=(const BorrowError&) noexcept = default;

std::string_view borrow_error_kind_name(BorrowError::Kind kind) noexcept {
  constexpr std::array<std::string_view, 4> names{"shared_alive", "exclusive_alive", "child_alive",
                                                  "consumed"};
  const auto index = static_cast<std::size_t>(kind);
  return index < names.size() ? names[index] : "unknown";
}

}  // namespace tenure::inline TENURE_BUILD
