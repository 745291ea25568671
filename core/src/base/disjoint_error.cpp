// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/disjoint_error.hpp"

#include "base/counted.hpp"
#include "base/number_list.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string name_of(DisjointError::Operand operand) {
  const auto role = [&] {
    switch (operand.role) {
      case DisjointError::Role::input:
        return "input ";
      case DisjointError::Role::output:
        return "output ";
      case DisjointError::Role::slot:
        return "slot ";
      case DisjointError::Role::part:
        return "part ";
    }
    return "operand ";
  };
  return role() + std::to_string(operand.number);
}

const char* wanted_by(DisjointError::Rule rule) noexcept {
  return rule == DisjointError::Rule::same_index
             ? "wanted an output that shares bytes with an input at the same index only, found that "
             : "wanted operands without a common byte, found that ";
}

const char* advice_for(DisjointError::Rule rule) noexcept {
  return rule == DisjointError::Rule::same_index
             ? "; write to memory of its own, or to the very elements that are read"
             : "; give each bytes of its own";
}

}  // namespace

DisjointError::DisjointError(std::string operation, const IndexPair& witness, std::uint64_t work,
                             Operands operands, Rule rule)
    : Error(ErrorCode::disjoint, std::move(operation),
            wanted_by(rule) + ("element " + text_of(witness.first)) + " of " + name_of(operands.first) +
                " and element " + text_of(witness.second) + " of " + name_of(operands.second) + " share one" +
                advice_for(rule)),
      witness_(std::make_shared<const IndexPair>(witness)),
      work_(work),
      operands_(operands),
      rule_(rule) {}

DisjointError::DisjointError(std::string operation, std::uint64_t work, Operands operands, Rule rule)
    : Error(ErrorCode::disjoint, std::move(operation),
            wanted_by(rule) + counted(work, "step") + " of search did not decide it of " +
                name_of(operands.first) + " and " + name_of(operands.second) + advice_for(rule)),
      work_(work),
      operands_(operands),
      rule_(rule) {}

DisjointError::~DisjointError() = default;
DisjointError::DisjointError(const DisjointError&) noexcept = default;
DisjointError& DisjointError::operator=(const DisjointError&) noexcept = default;

}  // namespace tenure::inline TENURE_BUILD
