// SPDX-License-Identifier: Apache-2.0
#include "loader/module.hpp"

#include "loader/process_fork.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/provider_note.h"

namespace tenure::inline TENURE_BUILD {

bool Module::is_fork_safe() const noexcept { return (facts_.card.flags & TENURE_NOTE_FORK_SAFE) != 0; }

void Module::require_usable_after_fork(std::string_view operation) const {
  const std::uint32_t here = fork_generation();
  std::uint32_t opened_in = 0;
  if (opened_in_generation_.compare_exchange_strong(opened_in, here) || opened_in == here || is_fork_safe()) {
    return;
  }
  throw ProviderError(
      std::string(operation), id(), TENURE_FAILED_PRECONDITION,
      id() +
          " was opened in the process that this one was forked from, and cannot be used after "
          "a fork; open it in the child only, or start the child with exec");
}

}  // namespace tenure::inline TENURE_BUILD
