// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/borrow_violation.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "memory/borrow_report.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string text_of(const BorrowViolation& violation) {
  const std::string owner = "the owner made by " + text_of(violation.owner);
  const std::string view = "the view made by " + text_of(violation.view);
  switch (violation.kind) {
    case BorrowViolation::Kind::owner_moved:
      return owner + " was moved while it is borrowed; " + view + " is alive";
    case BorrowViolation::Kind::owner_destroyed:
      return owner + " was destroyed while it is borrowed; " + view + " is alive";
    case BorrowViolation::Kind::view_dangling:
      break;
  }
  return view + " was used by " + std::string(violation.operation) + " after its end; " + owner + " is gone";
}

void abort_on_violation(const BorrowViolation& violation) noexcept {
  std::fprintf(stderr, "tenure borrow: %s\n", text_of(violation).c_str());
  std::abort();
}

std::atomic<BorrowViolationHandler> violation_handler = &abort_on_violation;

}  // namespace

void set_borrow_violation_handler(BorrowViolationHandler handler) noexcept {
  violation_handler = handler == nullptr ? &abort_on_violation : handler;
}

void report(const BorrowViolation& violation) noexcept { violation_handler.load()(violation); }

}  // namespace tenure::inline TENURE_BUILD
