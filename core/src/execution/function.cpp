// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/function.hpp"

#include "base/enumerator.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

template <class Row, class Enum>
const Row& require_row(const Row* row, const char* operation, const char* argument, Enum value) {
  if (row == nullptr) throw_no_enumerator(operation, argument, value);
  return *row;
}

}  // namespace

const abi::FunctionRow& find_row(Function function, const char* operation) {
  return require_row(abi::find_function(static_cast<std::uint32_t>(function)), operation, "function",
                     function);
}

const abi::ReductionRow& find_row(Reduction reduction, const char* operation) {
  return require_row(abi::find_reduction(static_cast<std::uint32_t>(reduction)), operation, "reduction",
                     reduction);
}

}  // namespace tenure::inline TENURE_BUILD
