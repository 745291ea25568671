// SPDX-License-Identifier: Apache-2.0
// state_access: how the layers of Tenure reach what is inside owners and views.
#pragma once

#include <utility>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Not for users: what is made from a state is believed without a check, rank, dtype and mutability included.
struct StateAccess {
  template <class Wrapper>
  static const auto& state(const Wrapper& wrapper) noexcept {
    return wrapper.state_;
  }
  template <class Wrapper>
  static auto& state(Wrapper& wrapper) noexcept {
    return wrapper.state_;
  }
  template <class Wrapper, class State>
  static Wrapper make(State&& state) noexcept {
    return Wrapper(std::forward<State>(state));
  }
};

}  // namespace tenure::inline TENURE_BUILD
