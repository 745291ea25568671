// SPDX-License-Identifier: Apache-2.0
// operation_name: what errors call an operation that is chosen at run time, such as "apply(add)".
#pragma once

#include "tenure/execution/function.hpp"

namespace tenure::inline TENURE_BUILD {

struct OperationName {
  const char* allocating;
  const char* into;
};

// The name that the user called, with what was chosen; without it where that does not exist.
OperationName chosen_name(Function function) noexcept;
OperationName chosen_name(Reduction reduction) noexcept;

}  // namespace tenure::inline TENURE_BUILD
