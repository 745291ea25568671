// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/execution_error.hpp"

namespace tenure::inline TENURE_BUILD {

ExecutionError::ExecutionError(Kind kind, std::string operation, std::string engine, std::string message,
                               std::shared_ptr<const Error> cause, std::int64_t pivot)
    : Error(ErrorCode::execution, std::move(operation), std::move(message), std::move(cause)),
      kind_(kind),
      engine_(std::make_shared<const std::string>(std::move(engine))),
      pivot_(pivot) {}

ExecutionError::~ExecutionError() = default;
ExecutionError::ExecutionError(const ExecutionError&) noexcept = default;
ExecutionError& ExecutionError::operator=(const ExecutionError&) noexcept = default;

}  // namespace tenure::inline TENURE_BUILD
