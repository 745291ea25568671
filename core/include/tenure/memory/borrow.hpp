// SPDX-License-Identifier: Apache-2.0
// borrow: what owners and views keep so that a checked build finds broken borrow rules.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "tenure/memory/borrow_place.hpp"

namespace tenure::inline TENURE_BUILD {

// Operands are borrows for one call of an engine. They do not exclude each other, because the engine decides
// exactly which bytes they may share.
enum class BorrowKind : std::uint8_t {
  shared,         // a view that reads; excludes those that write
  exclusive,      // a view that writes; excludes all others
  read_operand,   // excludes views that write
  write_operand,  // excludes views
};

#if TENURE_CHECKED

class BorrowRecord;
struct Loan;

// A view's share in the borrows of its owner. One that was never lent tracks nothing. The borrow ends with
// the token; when children are alive, with the last of them.
class TENURE_API BorrowToken {
 public:
  BorrowToken() noexcept = default;
  // Of an exclusive borrow a child, which must end before this one is used again; of any other one more like
  // it.
  BorrowToken(const BorrowToken& other);
  BorrowToken(BorrowToken&& other) noexcept : loan_(std::exchange(other.loan_, nullptr)) {}
  BorrowToken& operator=(const BorrowToken& other) { return *this = BorrowToken(other); }
  BorrowToken& operator=(BorrowToken&& other) noexcept {
    if (this != &other) {
      end();
      loan_ = std::exchange(other.loan_, nullptr);
    }
    return *this;
  }
  ~BorrowToken() { end(); }

  // Of an exclusive borrow a child of the given kind; of any other one more like it. Throws BorrowError.
  BorrowToken lend(BorrowKind kind, const BorrowPlace& place) const;
  // An exclusive borrow beside this exclusive one, under the same parent, for elements that the two do not
  // share.
  BorrowToken beside() const;

  // Calls the violation handler when the owner has been destroyed.
  void require_alive(const char* operation) const {
    if (loan_ != nullptr) check_alive(operation);
  }
  // Throws BorrowError when a child is alive.
  void require_alone(const char* operation) const {
    if (loan_ != nullptr) check_alone(operation);
  }

 private:
  friend class OwnerBorrow;
  explicit BorrowToken(Loan* loan) noexcept : loan_(loan) {}
  void check_alive(const char* operation) const;
  void check_alone(const char* operation) const;
  void end() noexcept;

  Loan* loan_ = nullptr;
};

// An owner's side. Lending makes the record, one heap block, which lives until the owner and all that was
// lent have ended. Moving or destroying this while something is lent calls the violation handler; after a
// move what was lent is lent by the new owner.
class TENURE_API OwnerBorrow {
 public:
  explicit OwnerBorrow(const BorrowPlace& made) noexcept : made_(made) {}
  OwnerBorrow(OwnerBorrow&& other) noexcept : made_(other.made_), record_(other.move_out()) {}
  OwnerBorrow& operator=(OwnerBorrow&& other) noexcept;
  ~OwnerBorrow() { end(); }

  // Threads may lend at the same time. Throws BorrowError when another borrow excludes this one.
  BorrowToken lend(BorrowKind kind, const BorrowPlace& place) const;
  // Throws BorrowError when anything is lent.
  void require_free(const char* operation) const;

  // For owners that lie in a table: this borrow in another place of it, which is no move of the owner; and
  // such a move, which calls the violation handler when anything is lent.
  OwnerBorrow relocate() noexcept { return {made_, record_.exchange(nullptr)}; }
  void report_move() const noexcept;

 private:
  OwnerBorrow(const BorrowPlace& made, BorrowRecord* record) noexcept : made_(made), record_(record) {}
  BorrowRecord& record() const;
  BorrowRecord* move_out() noexcept;
  void end() noexcept;

  BorrowPlace made_;
  mutable std::atomic<BorrowRecord*> record_ = nullptr;
};

#else

class BorrowToken {
 public:
  BorrowToken lend(BorrowKind, BorrowPlace) const noexcept { return {}; }
  BorrowToken beside() const noexcept { return {}; }
  void require_alive(const char*) const noexcept {}
  void require_alone(const char*) const noexcept {}
};

class OwnerBorrow {
 public:
  explicit OwnerBorrow(BorrowPlace) noexcept {}
  BorrowToken lend(BorrowKind, BorrowPlace) const noexcept { return {}; }
  void require_free(const char*) const noexcept {}
  OwnerBorrow relocate() const noexcept { return *this; }
  void report_move() const noexcept {}
};

static_assert(std::is_empty_v<BorrowPlace> && std::is_empty_v<BorrowToken> && std::is_empty_v<OwnerBorrow>);

#endif

}  // namespace tenure::inline TENURE_BUILD
