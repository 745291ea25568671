// SPDX-License-Identifier: Apache-2.0
// disjoint_error: two readings of memory that must not share a byte and do, or may.
#pragma once

#include <cstdint>
#include <optional>

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

  // A proven overlap, shown by one element of each of the two.
  DisjointError(std::string operation, const IndexPair& witness, std::uint64_t work);
  // Undecided.
  DisjointError(std::string operation, std::uint64_t work);
  ~DisjointError() override;
  DisjointError(const DisjointError&) noexcept;
  DisjointError& operator=(const DisjointError&) noexcept;

  Kind kind() const noexcept { return witness_ ? Kind::overlap : Kind::undecided; }
  // Null when undecided.
  const IndexPair* witness() const noexcept { return witness_.get(); }
  std::uint64_t work() const noexcept { return work_; }

 private:
  std::shared_ptr<const IndexPair> witness_;
  std::uint64_t work_;
};

}  // namespace tenure::inline TENURE_BUILD
