// SPDX-License-Identifier: Apache-2.0
// borrow_place: where an owner or a view was made, for messages of checked builds.
#pragma once

#include "tenure/config.h"

#if TENURE_CHECKED
#include <source_location>

#include "tenure/base/code_place.hpp"
#endif

namespace tenure::inline TENURE_BUILD {

// Functions that make owners and views take one as their last argument, which is never written out: its
// default is the place of the call. Of no size and passed by nothing in a release build.
class BorrowPlace {
 public:
  // Not known.
  constexpr BorrowPlace() noexcept = default;

#if TENURE_CHECKED
  static constexpr BorrowPlace here(std::source_location at = std::source_location::current()) noexcept {
    return {nullptr, at};
  }
  // The same place in the code, and the operation that was called there.
  constexpr BorrowPlace by(const char* operation) const noexcept { return {operation, at_}; }
  constexpr CodePlace code() const noexcept {
    return {operation_ == nullptr ? "" : operation_, at_.file_name(), at_.line()};
  }

 private:
  constexpr BorrowPlace(const char* operation, std::source_location at) noexcept
      : operation_(operation), at_(at) {}

  const char* operation_ = nullptr;
  std::source_location at_;
#else
  static constexpr BorrowPlace here() noexcept { return {}; }
  constexpr BorrowPlace by(const char*) const noexcept { return {}; }
#endif
};

}  // namespace tenure::inline TENURE_BUILD
