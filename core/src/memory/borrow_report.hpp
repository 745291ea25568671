// SPDX-License-Identifier: Apache-2.0
// borrow_report: tells the handler of borrow violations. Part of checked builds only.
#pragma once

#include "tenure/memory/borrow_violation.hpp"

namespace tenure::inline TENURE_BUILD {

void report(const BorrowViolation& violation) noexcept;

}  // namespace tenure::inline TENURE_BUILD
