// SPDX-License-Identifier: Apache-2.0
// upstream: where a pool takes memory from.
#pragma once

#include <concepts>
#include <cstdint>

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// acquire gives bytes at an alignment, a power of two, or null when there is no memory; it throws for
// failures that releasing memory cannot cure. release gets the same numbers back. Both are called from
// any thread with no lock held, and after the pool was released while blocks are still out.
// is_host_memory says that the host may write the bytes at any time, which poison and guard need.
template <class U>
concept Upstream = std::move_constructible<U> && requires(U& upstream, void* address, std::uint64_t bytes) {
  { upstream.acquire(bytes, bytes) } -> std::same_as<void*>;
  { upstream.release(address, bytes, bytes) }
  noexcept;
  { U::is_host_memory } -> std::convertible_to<bool>;
};

// Gives the index of the calling thread: small, unique among living threads, reused after a thread ended.
template <class T>
concept ThreadIndexSource = std::move_constructible<T> && requires(const T& thread_index) {
  { thread_index() }
  noexcept->std::same_as<std::uint32_t>;
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
