// SPDX-License-Identifier: Apache-2.0
// borrow_error: a view that was taken, or an owner that was consumed, against the borrow rules.
#pragma once

#include "tenure/base/code_place.hpp"
#include "tenure/base/error.hpp"

namespace tenure::inline TENURE_BUILD {

// Only checked builds throw it. Nothing was touched: the owner and its views are as they were.
class TENURE_API BorrowError final : public Error {
 public:
  enum class Kind {
    shared_alive,     // elements were to be written while a view reads them
    exclusive_alive,  // elements were to be used while a view writes them
    child_alive,      // a view was used while one that was made from it is alive
    consumed,         // an owner was to be consumed while it is borrowed
  };

  // `view` is the one that is in the way.
  BorrowError(Kind kind, std::string operation, const CodePlace& owner, const CodePlace& view);
  ~BorrowError() override;
  BorrowError(const BorrowError&) noexcept;
  BorrowError& operator=(const BorrowError&) noexcept;

  Kind kind() const noexcept { return kind_; }
  // Where the owner was made, and the view that is in the way.
  const CodePlace& owner() const noexcept { return owner_; }
  const CodePlace& view() const noexcept { return view_; }

 private:
  Kind kind_;
  CodePlace owner_;
  CodePlace view_;
};

TENURE_API std::string_view borrow_error_kind_name(BorrowError::Kind kind) noexcept;

}  // namespace tenure::inline TENURE_BUILD
