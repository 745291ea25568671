// SPDX-License-Identifier: Apache-2.0
// streaming: results that are stored past the caches, by way of a piece of memory that stays in the first
// level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "executor.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tenure::cpu {

// What waits to be stored past the caches when it has been computed: so little that it hardly holds up what
// is computed next.
inline constexpr std::int64_t streaming_piece_bytes = 2048;

// What a task streamed is seen by other threads, like everything else that it wrote, after the end of this.
class StreamFence {
 public:
  StreamFence() = default;
  StreamFence(const StreamFence&) = delete;
  StreamFence& operator=(const StreamFence&) = delete;
  ~StreamFence() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
  }
};

// Sets bytes that are read next on their way to the first-level cache while something is computed from
// others. What fetches ahead by itself does so only as far as it is led by reads, and these pause with each
// piece.
inline void fetch_ahead(const std::byte* begin, std::int64_t bytes) noexcept {
  constexpr std::int64_t line_bytes = 64;
  for (std::int64_t at = 0; at < bytes; at += line_bytes) __builtin_prefetch(begin + at);
}

// Computes contiguous items [begin, end) of `out`: compute(first, count, piece) writes some of them to
// `piece`, from where they are streamed. No item may be read once it is written.
template <class Compute>
void stream_pieces(const Executor& executor, std::byte* out, std::int64_t item_bytes, std::int64_t begin,
                   std::int64_t end, const Compute& compute) {
  constexpr std::int64_t line_bytes = 64;
  constexpr std::int64_t one_row[] = {0};
  alignas(line_bytes) std::byte piece[streaming_piece_bytes];
  const StreamFence fence;
  for (std::int64_t first = begin; first < end;) {
    std::byte* const target = out + first * item_bytes;
    // The pieces after the first begin with a line.
    const auto past =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(target) % std::uintptr_t{line_bytes});
    const std::int64_t count = std::min((streaming_piece_bytes - past) / item_bytes, end - first);
    compute(first, count, static_cast<std::byte*>(piece));
    executor.kernels.copy->stream(piece, 0, target, one_row, item_bytes, 1, count * item_bytes);
    first += count;
  }
}

}  // namespace tenure::cpu
