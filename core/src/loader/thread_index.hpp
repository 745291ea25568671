// SPDX-License-Identifier: Apache-2.0
// thread_index: a small number for each living thread, and what is done when a thread ends.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

inline constexpr std::uint32_t no_thread_index = UINT32_MAX;

// Of the calling thread, once it has asked. Without a destructor, so that it can be used until the thread's
// very end. The TLS model makes a look at it one instruction; the library's few bytes fit into the space
// that the C library reserves for images that are loaded later.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local std::uint32_t known_thread_index;

std::uint32_t take_thread_index() noexcept;

// Unique among living threads and reused afterwards, the smallest free one first. Valid on a thread until
// its very end. When a thread that has one ends, the pools of every open instance are told.
inline std::uint32_t thread_index() noexcept {
  const std::uint32_t known = known_thread_index;
  return known != no_thread_index ? known : take_thread_index();
}

}  // namespace tenure::inline TENURE_BUILD
