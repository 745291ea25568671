// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/disjoint_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string text_of(const std::vector<std::int64_t>& index) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    if (axis != 0) text += ", ";
    text += std::to_string(index[axis]);
  }
  return text + ")";
}

}  // namespace

DisjointError::DisjointError(std::string operation, const IndexPair& witness, std::uint64_t work)
    : Error(ErrorCode::disjoint, std::move(operation),
            "wanted operands without a common byte, found that element " + text_of(witness.first) +
                " of the first and element " + text_of(witness.second) +
                " of the second share one; give another destination"),
      witness_(std::make_shared<const IndexPair>(witness)),
      work_(work) {}

DisjointError::DisjointError(std::string operation, std::uint64_t work)
    : Error(ErrorCode::disjoint, std::move(operation),
            "wanted operands without a common byte, found that " + std::to_string(work) +
                " steps of search did not decide it; give a destination of its own"),
      work_(work) {}

DisjointError::~DisjointError() = default;
DisjointError::DisjointError(const DisjointError&) noexcept = default;
DisjointError& DisjointError::operator=(const DisjointError&) noexcept = default;

}  // namespace tenure::inline TENURE_BUILD
