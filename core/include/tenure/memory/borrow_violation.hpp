// SPDX-License-Identifier: Apache-2.0
// borrow_violation: a borrow rule that was broken where nothing can be thrown, and who is told.
#pragma once

#include "tenure/base/code_place.hpp"

namespace tenure::inline TENURE_BUILD {

struct BorrowViolation {
  enum class Kind {
    owner_moved,      // while it is borrowed
    owner_destroyed,  // while it is borrowed
    view_dangling,    // a view was used after its owner had been destroyed
  };

  Kind kind;
  CodePlace owner;             // where the owner was made
  CodePlace view;              // where the view was made
  std::string_view operation;  // that used the dangling view
};

// Called on the thread that broke the rule, without a lock. When it returns, the program goes on as a release
// build would.
using BorrowViolationHandler = void (*)(const BorrowViolation& violation) noexcept;

// Whom a checked build tells, process-wide; a release build detects nothing and keeps no handler. The
// default, which null brings back, writes one line to the standard error and ends the process.
#if TENURE_CHECKED
TENURE_API void set_borrow_violation_handler(BorrowViolationHandler handler) noexcept;
#else
inline void set_borrow_violation_handler(BorrowViolationHandler) noexcept {}
#endif

}  // namespace tenure::inline TENURE_BUILD
