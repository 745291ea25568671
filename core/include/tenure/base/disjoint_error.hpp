// SPDX-License-Identifier: Apache-2.0
// disjoint_error: two readings of memory that must not share a byte and do, or may.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "tenure/base/error.hpp"
#include "tenure/base/index_pair.hpp"

namespace tenure::inline TENURE_BUILD {

// Nothing was written.
class TENURE_API DisjointError final : public Error {
 public:
  enum class Kind {
    overlap,    // proven, with a witness
    undecided,  // the search gave up after `work` steps; refused like an overlap
  };

  // Which two of the operands, counted from 0.
  struct Operands {
    std::size_t first = 0;
    std::size_t second = 1;
  };

  // A proven overlap, shown by one element of each of the two.
  DisjointError(std::string operation, const IndexPair& witness, std::uint64_t work, Operands operands);
  DisjointError(std::string operation, const IndexPair& witness, std::uint64_t work)
      : DisjointError(std::move(operation), witness, work, Operands{}) {}
  // Undecided.
  DisjointError(std::string operation, std::uint64_t work, Operands operands);
  DisjointError(std::string operation, std::uint64_t work)
      : DisjointError(std::move(operation), work, Operands{}) {}
  ~DisjointError() override;
  DisjointError(const DisjointError&) noexcept;
  DisjointError& operator=(const DisjointError&) noexcept;

  Kind kind() const noexcept { return witness_ ? Kind::overlap : Kind::undecided; }
  // Null when undecided.
  const IndexPair* witness() const noexcept { return witness_.get(); }
  std::uint64_t work() const noexcept { return work_; }
  Operands operands() const noexcept { return operands_; }

 private:
  std::shared_ptr<const IndexPair> witness_;
  std::uint64_t work_;
  Operands operands_;
};

}  // namespace tenure::inline TENURE_BUILD
