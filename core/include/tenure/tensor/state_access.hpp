// SPDX-License-Identifier: Apache-2.0
// state_access: how the layers of Tenure reach what is inside owners and views.
#pragma once

#include <concepts>
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
  // Of the state that `make_state()` returns, which is made where it stays: a move of it costs as much as a
  // transform of a view.
  template <class Wrapper, std::invocable MakeState>
  static Wrapper make_from(const MakeState& make_state) {
    return Wrapper(make_state);
  }
};

}  // namespace tenure::inline TENURE_BUILD
