// SPDX-License-Identifier: Apache-2.0
// streaming_store: stores that go past the caches, so that lines which are overwritten as a whole are not
// read first.
#pragma once

#include <cstddef>
#include <cstdint>

#include "half_float.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tenure::cpu {
namespace {

constexpr std::size_t line_bytes = 64;

// One line, to an address that is a multiple of its size. An architecture that is not known here stores as
// always.
TENURE_CPU_INLINE void stream_line(const std::byte* in, std::byte* out) {
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(out), _mm512_loadu_si512(in));
#elif defined(__AVX__)
  for (std::size_t i = 0; i < line_bytes; i += 32) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(out + i),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i)));
  }
#elif defined(__SSE2__)
  for (std::size_t i = 0; i < line_bytes; i += 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i)));
  }
#else
  __builtin_memcpy(out, in, line_bytes);
#endif
}

// Less than a line.
TENURE_CPU_INLINE void store_part(const std::byte* in, std::byte* out, std::size_t bytes) {
#if defined(__AVX512BW__)
  // One branch that is foreseen: how long a part is depends on addresses, but seldom whether there is one.
  if (bytes == 0) return;
  const __mmask64 mask = (__mmask64{1} << bytes) - 1;
  _mm512_mask_storeu_epi8(out, mask, _mm512_maskz_loadu_epi8(mask, in));
#else
  std::size_t at = 0;
  for (; at + 8 <= bytes; at += 8) __builtin_memcpy(out + at, in + at, 8);
  for (; at < bytes; ++at) out[at] = in[at];
#endif
}

// Whole lines go past the caches, what is left at either end through them.
TENURE_CPU_INLINE void stream_bytes(const std::byte* in, std::byte* out, std::size_t bytes) {
  const std::size_t wanted = (0 - reinterpret_cast<std::uintptr_t>(out)) % line_bytes;
  const std::size_t head = wanted < bytes ? wanted : bytes;
  store_part(in, out, head);
  std::size_t at = head;
  for (; at + line_bytes <= bytes; at += line_bytes) stream_line(in + at, out + at);
  store_part(in + at, out + at, bytes - at);
}

}  // namespace
}  // namespace tenure::cpu
