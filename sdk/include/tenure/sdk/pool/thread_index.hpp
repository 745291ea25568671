// SPDX-License-Identifier: Apache-2.0
// thread_index: the small number that the host has for the calling thread.
#pragma once

#include <cstdint>

#include "tenure/sdk/host.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// The host's function, looked up once because a pool asks at every acquire and release.
class HostThreadIndex {
 public:
  explicit HostThreadIndex(const Host& host) noexcept : context_(host.table()->context) {
    if (TENURE_HAS_MEMBER(host.table(), tenure_host, thread_index)) function_ = host.table()->thread_index;
  }

  // Host::no_thread_index from a host that has none; a pool then works without magazines.
  std::uint32_t operator()() const noexcept { return function_(context_); }

 private:
  static std::uint32_t no_index(tenure_host_context*) noexcept { return Host::no_thread_index; }

  std::uint32_t (*function_)(tenure_host_context*) noexcept = &no_index;
  tenure_host_context* context_;
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
