// SPDX-License-Identifier: Apache-2.0
#include "loader/asymmetric_fence.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tenure::inline TENURE_BUILD {

namespace {

bool membarrier(int command) noexcept { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }

bool register_process() noexcept { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }

}  // namespace

const bool heavy_fence_works = register_process();

void heavy_fence() noexcept {
  if (!heavy_fence_works || membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  // A forked child may have to register for itself.
  register_process();
  membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

}  // namespace tenure::inline TENURE_BUILD
