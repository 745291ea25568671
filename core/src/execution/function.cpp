// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/function.hpp"

#include <string>

#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

template <class Row>
const Row& require_row(const Row* row, const char* argument, std::uint32_t number) {
  if (row != nullptr) return *row;
  throw ValidationError("find_row", InvalidArgument{argument, "an enumerator was wanted, found the number " +
                                                                  std::to_string(number)});
}

}  // namespace

const abi::FunctionRow& find_row(Function function) {
  const auto number = static_cast<std::uint32_t>(function);
  return require_row(abi::find_function(number), "function", number);
}

const abi::ReductionRow& find_row(Reduction reduction) {
  const auto number = static_cast<std::uint32_t>(reduction);
  return require_row(abi::find_reduction(number), "reduction", number);
}

}  // namespace tenure::inline TENURE_BUILD
