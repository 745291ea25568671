// SPDX-License-Identifier: Apache-2.0
#include "loader/module.hpp"

#include "loader/process_fork.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/provider_note.h"

namespace tenure::inline TENURE_BUILD {

bool Module::is_fork_safe() const noexcept { return (facts_.card.flags & TENURE_NOTE_FORK_SAFE) != 0; }

void Module::require_usable_after_fork(std::string_view operation) const {
  const std::uint32_t here = fork_generation();
  const std::uint32_t opened_in = opened_in_generation_.load();
  if (opened_in == 0 || opened_in == here || is_fork_safe()) return;
  throw ProviderError(
      std::string(operation), id(), TENURE_FAILED_PRECONDITION,
      id() +
          " was opened in the process that this one was forked from, and cannot be used after "
          "a fork; open it in the child only, or start the child with exec");
}

void Module::note_opened() const noexcept {
  std::uint32_t never = 0;
  opened_in_generation_.compare_exchange_strong(never, fork_generation());
}

}  // namespace tenure::inline TENURE_BUILD
