// SPDX-License-Identifier: Apache-2.0
#include "loader/process_fork.hpp"

#include <pthread.h>

#include <atomic>

#include "loader/instance_control.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

std::atomic<std::uint32_t> generation{1};

void in_the_child() {
  generation.fetch_add(1, std::memory_order_relaxed);
  InstanceControl::process_forked();
}

}  // namespace

std::uint32_t fork_generation() noexcept {
  static const int installed = ::pthread_atfork(nullptr, nullptr, &in_the_child);
  static_cast<void>(installed);
  return generation.load(std::memory_order_relaxed);
}

}  // namespace tenure::inline TENURE_BUILD
