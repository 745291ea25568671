// SPDX-License-Identifier: Apache-2.0
// borrow_record: the borrows of one owner. Part of checked builds only.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <forward_list>
#include <mutex>

#include "tenure/base/borrow_error.hpp"
#include "tenure/memory/borrow.hpp"
#include "tenure/memory/borrow_violation.hpp"

namespace tenure::inline TENURE_BUILD {

// One borrow, or the owner itself, of which all others are made. An exclusive borrow that has ended is kept
// as long as borrows that were made of it are alive.
struct Loan {
  BorrowRecord* record = nullptr;
  Loan* parent = nullptr;  // null for the owner; of one that is idle the next idle one
  BorrowPlace place;
  BorrowKind kind = BorrowKind::exclusive;
  bool is_held = false;  // by a token
  bool is_idle = true;
  std::array<std::int32_t, 4> children_by_kind{};
  std::atomic<std::int32_t> children = 0;  // of any kind; changes under the lock, is read without it
};

// One heap block while few borrows are alive. Safe from any thread. Deletes itself when the owner and every
// borrow have ended.
class BorrowRecord {
 public:
  explicit BorrowRecord(const BorrowPlace& owner_made) noexcept;

  Loan& owner() noexcept { return owner_; }
  // A borrow made of `parent`. Throws BorrowError when another one made of it is in the way.
  Loan& lend(Loan& parent, BorrowKind kind, const BorrowPlace& place);
  // One more of the kind of `loan`, which shares what it excludes.
  Loan& repeat(const Loan& loan, const BorrowPlace& place);
  void end(Loan& loan) noexcept;

  // Throws BorrowError when a borrow made of `loan`, or of the owner, is alive.
  void require_alone(const Loan& loan, const char* operation);
  // Calls the violation handler when there is no owner any more.
  void require_owner(const Loan& loan, const char* operation) const noexcept;
  // Call the violation handler when something is lent.
  void owner_moves() noexcept { report_lent(BorrowViolation::Kind::owner_moved); }
  void owner_ends() noexcept;

 private:
  Loan& add(Loan& parent, BorrowKind kind, const BorrowPlace& place);
  // A borrow made of `parent` whose kind is in the set. There is one.
  const Loan& child_of(const Loan& parent, std::uint32_t kinds) const noexcept;
  BorrowError::Kind conflict_with(const Loan& parent, const Loan& found) const noexcept;
  void report_lent(BorrowViolation::Kind kind) noexcept;
  bool is_over() const noexcept {
    return !has_owner_.load(std::memory_order_relaxed) && owner_.children == 0;
  }

  std::mutex mutex_;  // guards all but the atomics
  std::atomic<bool> has_owner_ = true;
  Loan owner_;
  // Loans are never moved: the first are part of this block, others are made as they are needed.
  std::array<Loan, 16> loans_;
  std::forward_list<Loan> further_loans_;
  Loan* idle_ = nullptr;
};

}  // namespace tenure::inline TENURE_BUILD
