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

  enum class Role {
    input,   // of an operation, among its arguments
    output,  // of an operation, among its destinations
    slot,    // in a list of slots
    part,    // in a list of slices
  };
  // Counted from 0, inputs and outputs each by themselves.
  struct Operand {
    Role role;
    std::size_t number;

    bool operator==(const Operand&) const = default;
  };
  struct Operands {
    Operand first;
    Operand second;
  };
  // What is demanded of the two.
  enum class Rule {
    no_common_byte,
    same_index,  // an output may share bytes with an input, but only index by index
  };

  // A proven overlap, shown by one element of each of the two. Under Rule::same_index the two indices differ,
  // and both count in the extents of the output, to which the input broadcasts.
  DisjointError(std::string operation, const IndexPair& witness, std::uint64_t work, Operands operands,
                Rule rule = Rule::no_common_byte);
  // Undecided.
  DisjointError(std::string operation, std::uint64_t work, Operands operands,
                Rule rule = Rule::no_common_byte);
  ~DisjointError() override;
  DisjointError(const DisjointError&) noexcept;
  DisjointError& operator=(const DisjointError&) noexcept;

  Kind kind() const noexcept { return witness_ ? Kind::overlap : Kind::undecided; }
  // Null when undecided.
  const IndexPair* witness() const noexcept { return witness_.get(); }
  std::uint64_t work() const noexcept { return work_; }
  Operands operands() const noexcept { return operands_; }
  Rule rule() const noexcept { return rule_; }

 private:
  std::shared_ptr<const IndexPair> witness_;
  std::uint64_t work_;
  Operands operands_;
  Rule rule_;
};

}  // namespace tenure::inline TENURE_BUILD
