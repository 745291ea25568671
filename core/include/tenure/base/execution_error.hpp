// SPDX-License-Identifier: Apache-2.0
// execution_error: an operation that its engine could not run.
#pragma once

#include <cstdint>

#include "tenure/base/error.hpp"

namespace tenure::inline TENURE_BUILD {

// Inputs are as they were; an output that was being made has been given back, and a destination that was
// passed in holds what it held before when `unsupported` or `refused`, otherwise unspecified elements.
class TENURE_API ExecutionError final : public Error {
 public:
  enum class Kind {
    unsupported,  // the engine does not compute this for these element types, or not as a BatchScope wants
    refused,      // a value forbids it, such as an integer divisor of zero
    exhausted,    // the engine could not get memory or threads that it needs; the call may succeed later
    failed,       // the engine failed on the way
    // A matrix does not have what the operation wants.
    not_positive_definite,
    singular,
    no_convergence,
  };

  // `engine` is the id of the provider whose engine it was; `pivot` is negative where there is none.
  ExecutionError(Kind kind, std::string operation, std::string engine, std::string message,
                 std::shared_ptr<const Error> cause = nullptr, std::int64_t pivot = -1);
  ~ExecutionError() override;
  ExecutionError(const ExecutionError&) noexcept;
  ExecutionError& operator=(const ExecutionError&) noexcept;

  Kind kind() const noexcept { return kind_; }
  std::string_view engine() const noexcept { return *engine_; }
  // Of a matrix that is not positive definite or singular, in the first such matrix of a batch: the row of
  // the first pivot that is not positive or is 0. Otherwise negative.
  std::int64_t pivot() const noexcept { return pivot_; }

 private:
  Kind kind_;
  std::shared_ptr<const std::string> engine_;
  std::int64_t pivot_;
};

}  // namespace tenure::inline TENURE_BUILD
