// SPDX-License-Identifier: Apache-2.0
// refused: whether a call throws a ValidationError with a given detail.
#pragma once

#include "tenure/base/validation_error.hpp"

namespace tenure_test {

template <class Detail, class Call>
bool refused(Call call) {
  try {
    static_cast<void>(call());
  } catch (const tenure::ValidationError& error) {
    return error.get_if<Detail>() != nullptr;
  }
  return false;
}

}  // namespace tenure_test
