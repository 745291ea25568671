// SPDX-License-Identifier: Apache-2.0
#include "memory/borrow_record.hpp"

#include <algorithm>
#include <utility>

#include "memory/borrow_report.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

constexpr std::uint32_t set_of(BorrowKind kind) noexcept { return 1U << static_cast<unsigned>(kind); }
constexpr std::size_t index_of(BorrowKind kind) noexcept { return static_cast<std::size_t>(kind); }

constexpr std::uint32_t all_kinds = 0b1111;
// By kind, what must not be alive beside it.
constexpr std::array<std::uint32_t, 4> excluded_kinds{
    set_of(BorrowKind::exclusive) | set_of(BorrowKind::write_operand),
    all_kinds,
    set_of(BorrowKind::exclusive),
    set_of(BorrowKind::exclusive) | set_of(BorrowKind::shared),
};

constexpr bool reads_only(BorrowKind kind) noexcept {
  return kind == BorrowKind::shared || kind == BorrowKind::read_operand;
}

}  // namespace

BorrowRecord::BorrowRecord(const BorrowPlace& owner_made) noexcept {
  owner_.record = this;
  owner_.place = owner_made;
  for (Loan& loan : loans_) {
    loan.record = this;
    loan.parent = std::exchange(idle_, &loan);
  }
}

Loan& BorrowRecord::lend(Loan& parent, BorrowKind kind, const BorrowPlace& place) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t excluded = excluded_kinds[index_of(kind)];
  for (std::size_t other = 0; other < parent.children_by_kind.size(); ++other) {
    if (parent.children_by_kind[other] == 0 || (excluded & (1U << other)) == 0) continue;
    const Loan& found = child_of(parent, excluded);
    throw BorrowError(conflict_with(parent, found), std::string(place.code().operation), owner_.place.code(),
                      found.place.code());
  }
  return add(parent, kind, place);
}

BorrowError::Kind BorrowRecord::conflict_with(const Loan& parent, const Loan& found) const noexcept {
  if (&parent != &owner_) return BorrowError::Kind::child_alive;
  return reads_only(found.kind) ? BorrowError::Kind::shared_alive : BorrowError::Kind::exclusive_alive;
}

Loan& BorrowRecord::repeat(const Loan& loan, const BorrowPlace& place) {
  const std::lock_guard lock(mutex_);
  return add(*loan.parent, loan.kind, place);
}

Loan& BorrowRecord::add(Loan& parent, BorrowKind kind, const BorrowPlace& place) {
  if (idle_ == nullptr) {
    idle_ = &further_loans_.emplace_front();
    idle_->record = this;
  }
  Loan& loan = *idle_;
  idle_ = std::exchange(loan.parent, &parent);
  loan.place = place;
  loan.kind = kind;
  loan.is_held = true;
  loan.is_idle = false;
  ++parent.children_by_kind[index_of(kind)];
  ++parent.children;
  return loan;
}

void BorrowRecord::end(Loan& loan) noexcept {
  bool is_last = false;
  {
    const std::lock_guard lock(mutex_);
    loan.is_held = false;
    for (Loan* ended = &loan; ended != &owner_ && !ended->is_held && ended->children == 0;) {
      Loan& parent = *std::exchange(ended->parent, idle_);
      idle_ = ended;
      ended->is_idle = true;
      --parent.children_by_kind[index_of(ended->kind)];
      --parent.children;
      ended = &parent;
    }
    is_last = is_over();
  }
  if (is_last) delete this;
}

const Loan& BorrowRecord::child_of(const Loan& parent, std::uint32_t kinds) const noexcept {
  const auto is_one = [&](const Loan& loan) {
    return !loan.is_idle && loan.parent == &parent && (set_of(loan.kind) & kinds) != 0;
  };
  const auto found = std::ranges::find_if(loans_, is_one);
  return found != loans_.end() ? *found : *std::ranges::find_if(further_loans_, is_one);
}

void BorrowRecord::require_alone(const Loan& loan, const char* operation) {
  if (loan.children == 0) return;
  const std::lock_guard lock(mutex_);
  if (loan.children == 0) return;
  throw BorrowError(&loan == &owner_ ? BorrowError::Kind::consumed : BorrowError::Kind::child_alive,
                    operation, owner_.place.code(), child_of(loan, all_kinds).place.code());
}

void BorrowRecord::require_owner(const Loan& loan, const char* operation) const noexcept {
  if (has_owner_) return;
  report({BorrowViolation::Kind::view_dangling, owner_.place.code(), loan.place.code(), operation});
}

void BorrowRecord::report_lent(BorrowViolation::Kind kind) noexcept {
  BorrowViolation violation{kind, owner_.place.code(), {}, {}};
  {
    const std::lock_guard lock(mutex_);
    if (owner_.children == 0) return;
    violation.view = child_of(owner_, all_kinds).place.code();
  }
  report(violation);
}

void BorrowRecord::owner_ends() noexcept {
  report_lent(BorrowViolation::Kind::owner_destroyed);
  bool is_last = false;
  {
    const std::lock_guard lock(mutex_);
    has_owner_ = false;
    is_last = is_over();
  }
  if (is_last) delete this;
}

}  // namespace tenure::inline TENURE_BUILD
