// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/borrow.hpp"

#include <memory>

#include "memory/borrow_record.hpp"

namespace tenure::inline TENURE_BUILD {

BorrowToken::BorrowToken(const BorrowToken& other) {
  if (other.loan_ != nullptr) *this = other.lend(other.loan_->kind, other.loan_->place);
}

BorrowToken BorrowToken::lend(BorrowKind kind, const BorrowPlace& place) const {
  if (loan_ == nullptr) return {};
  if (loan_->kind != BorrowKind::exclusive) return BorrowToken(&loan_->record->repeat(*loan_, place));
  return BorrowToken(&loan_->record->lend(*loan_, kind, place));
}

BorrowToken BorrowToken::beside() const {
  return loan_ == nullptr ? BorrowToken() : BorrowToken(&loan_->record->repeat(*loan_, loan_->place));
}

void BorrowToken::check_alive(const char* operation) const {
  loan_->record->require_owner(*loan_, operation);
}
void BorrowToken::check_alone(const char* operation) const {
  loan_->record->require_alone(*loan_, operation);
}

void BorrowToken::end() noexcept {
  if (Loan* const loan = std::exchange(loan_, nullptr)) loan->record->end(*loan);
}

OwnerBorrow& OwnerBorrow::operator=(OwnerBorrow&& other) noexcept {
  if (this != &other) {
    end();
    made_ = other.made_;
    record_ = other.move_out();
  }
  return *this;
}

BorrowToken OwnerBorrow::lend(BorrowKind kind, const BorrowPlace& place) const {
  BorrowRecord& borrows = record();
  return BorrowToken(&borrows.lend(borrows.owner(), kind, place));
}

void OwnerBorrow::require_free(const char* operation) const {
  BorrowRecord* const borrows = record_.load(std::memory_order_acquire);
  if (borrows != nullptr) borrows->require_alone(borrows->owner(), operation);
}

BorrowRecord& OwnerBorrow::record() const {
  BorrowRecord* found = record_.load(std::memory_order_acquire);
  if (found != nullptr) return *found;
  auto fresh = std::make_unique<BorrowRecord>(made_);
  // Of threads that make one at the same time the first wins.
  if (!record_.compare_exchange_strong(found, fresh.get(), std::memory_order_acq_rel)) return *found;
  return *fresh.release();
}

void OwnerBorrow::report_move() const noexcept {
  if (BorrowRecord* const moved = record_.load(std::memory_order_acquire)) moved->owner_moves();
}

BorrowRecord* OwnerBorrow::move_out() noexcept {
  report_move();
  return record_.exchange(nullptr);
}

void OwnerBorrow::end() noexcept {
  if (BorrowRecord* const ended = record_.exchange(nullptr)) ended->owner_ends();
}

}  // namespace tenure::inline TENURE_BUILD
