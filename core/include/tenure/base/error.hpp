// SPDX-License-Identifier: Apache-2.0
// error: the root of everything that Tenure throws.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// What kind of failure it was, across all families. The numbers are stable; new ones are appended.
enum class ErrorCode : int {
  validation = 1,     // an argument that can never be right
  access = 2,         // memory that cannot be reached this way now
  group = 3,          // a slot or descriptor of an allocation group
  disjoint = 4,       // an overlap, proven or not excluded
  borrow = 5,         // a view or owner used against the borrow rules
  version = 6,        // a saved tensor changed
  out_of_memory = 7,  // memory that could not be had
  load = 8,           // a provider that did not load
  provider = 9,       // a provider answered with an error
  execution = 10,     // an operation that could not run
  transfer = 11,      // a copy between domains
  empty_owner = 12,   // a moved-from or never filled owner was used
};

TENURE_API std::string_view error_code_name(ErrorCode code) noexcept;

// Base of all errors. Immutable, cheap to copy, keeps the error that caused it. `what()` names the
// operation, what was wanted, what was found and what to do, one line per layer, outermost first.
class TENURE_API Error : public std::exception {
 public:
  ~Error() override;
  Error(const Error&) noexcept;
  Error& operator=(const Error&) noexcept;

  ErrorCode code() const noexcept { return code_; }
  // The public operation that failed, such as "TypedTensor::from_vec_col_major".
  std::string_view operation() const noexcept;
  // This layer's sentence without the operation and without the cause.
  std::string_view message() const noexcept;
  // The inner error, or null.
  const std::shared_ptr<const Error>& cause() const noexcept { return cause_; }
  const char* what() const noexcept override;

 protected:
  Error(ErrorCode code, std::string operation, std::string message,
        std::shared_ptr<const Error> cause = nullptr);

 private:
  struct Text;
  ErrorCode code_;
  std::shared_ptr<const Text> text_;
  std::shared_ptr<const Error> cause_;
};

}  // namespace tenure::inline TENURE_BUILD
