// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/disjoint_error.hpp"

#include "base/number_list.hpp"

namespace tenure::inline TENURE_BUILD {

DisjointError::DisjointError(std::string operation, const IndexPair& witness, std::uint64_t work,
                             Operands operands)
    : Error(ErrorCode::disjoint, std::move(operation),
            "wanted operands without a common byte, found that element " + text_of(witness.first) +
                " of operand " + std::to_string(operands.first) + " and element " + text_of(witness.second) +
                " of operand " + std::to_string(operands.second) + " share one; give each bytes of its own"),
      witness_(std::make_shared<const IndexPair>(witness)),
      work_(work),
      operands_(operands) {}

DisjointError::DisjointError(std::string operation, std::uint64_t work, Operands operands)
    : Error(ErrorCode::disjoint, std::move(operation),
            "wanted operands without a common byte, found that " + std::to_string(work) +
                " steps of search did not decide it of operands " + std::to_string(operands.first) + " and " +
                std::to_string(operands.second) + "; give each bytes of its own"),
      work_(work),
      operands_(operands) {}

DisjointError::~DisjointError() = default;
DisjointError::DisjointError(const DisjointError&) noexcept = default;
DisjointError& DisjointError::operator=(const DisjointError&) noexcept = default;

}  // namespace tenure::inline TENURE_BUILD
