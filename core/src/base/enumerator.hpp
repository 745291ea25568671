// SPDX-License-Identifier: Apache-2.0
// enumerator: whether a value of an enum is one of those that have a name.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

template <class Enum>
[[noreturn, gnu::cold]] void throw_no_enumerator(const char* operation, const char* argument, Enum value) {
  throw ValidationError(
      operation,
      InvalidArgument{argument, "one of the names of the enum was wanted, found the number " +
                                    std::to_string(static_cast<std::int64_t>(value)) + "; use a name"});
}

// For an enum whose values run from 0 to that of `last`. Throws InvalidArgument.
template <class Enum>
void require_enumerator(const char* operation, const char* argument, Enum value, Enum last) {
  using Number = std::make_unsigned_t<std::underlying_type_t<Enum>>;
  if (static_cast<Number>(value) > static_cast<Number>(last)) throw_no_enumerator(operation, argument, value);
}

}  // namespace tenure::inline TENURE_BUILD
