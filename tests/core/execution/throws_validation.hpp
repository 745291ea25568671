// SPDX-License-Identifier: Apache-2.0
// throws_validation: whether a call is refused with a certain detail.
#pragma once

#include <functional>

#include "tenure/base/validation_error.hpp"

namespace tenure_test {

template <class Detail>
bool throws_validation(const std::function<void()>& run) {
  try {
    run();
  } catch (const tenure::ValidationError& error) {
    return error.get_if<Detail>() != nullptr;
  }
  return false;
}

}  // namespace tenure_test
