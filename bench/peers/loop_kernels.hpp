// SPDX-License-Identifier: Apache-2.0
// loop_kernels: the vector loops that a person would write by hand, for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tenure::bench {

// Parts of arrays; any alignment.
template <class T>
struct LoopKernels {
  void (*add)(const T* a, const T* b, T* out, std::size_t count);
  void (*add_streaming)(const T* a, const T* b, T* out, std::size_t count);
  void (*copy_streaming)(const T* source, T* out, std::size_t count);
  T (*sum)(const T* values, std::size_t count);
  T (*max)(const T* values, std::size_t count);
};

// One namespace for each level; STREAM(address, vector) stores past the caches.
#define TENURE_LOOP_LEVEL(LEVEL, TARGET, BYTES, STREAM)                                                \
  namespace LEVEL {                                                                                    \
  template <class T>                                                                                   \
  struct Kernels {                                                                                     \
    typedef T Vector __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));               \
    static constexpr std::size_t lanes = BYTES / sizeof(T);                                            \
    static std::size_t head(const T* out, std::size_t count) {                                         \
      const std::size_t past = reinterpret_cast<std::uintptr_t>(out) % BYTES;                          \
      const std::size_t wanted = past == 0 ? 0 : (BYTES - past) / sizeof(T);                           \
      return wanted < count ? wanted : count;                                                          \
    }                                                                                                  \
    TARGET static void add(const T* a, const T* b, T* out, std::size_t count) {                        \
      std::size_t at = 0;                                                                              \
      for (; at + 4 * lanes <= count; at += 4 * lanes) {                                               \
        for (std::size_t step = at; step < at + 4 * lanes; step += lanes) {                            \
          *reinterpret_cast<Vector*>(out + step) =                                                     \
              *reinterpret_cast<const Vector*>(a + step) + *reinterpret_cast<const Vector*>(b + step); \
        }                                                                                              \
      }                                                                                                \
      for (; at < count; ++at) out[at] = a[at] + b[at];                                                \
    }                                                                                                  \
    TARGET static void add_streaming(const T* a, const T* b, T* out, std::size_t count) {              \
      std::size_t at = 0;                                                                              \
      for (const std::size_t end = head(out, count); at < end; ++at) out[at] = a[at] + b[at];          \
      for (; at + lanes <= count; at += lanes) {                                                       \
        STREAM(out + at,                                                                               \
               *reinterpret_cast<const Vector*>(a + at) + *reinterpret_cast<const Vector*>(b + at));   \
      }                                                                                                \
      for (; at < count; ++at) out[at] = a[at] + b[at];                                                \
    }                                                                                                  \
    TARGET static void copy_streaming(const T* source, T* out, std::size_t count) {                    \
      std::size_t at = 0;                                                                              \
      for (const std::size_t end = head(out, count); at < end; ++at) out[at] = source[at];             \
      for (; at + lanes <= count; at += lanes) {                                                       \
        STREAM(out + at, *reinterpret_cast<const Vector*>(source + at));                               \
      }                                                                                                \
      for (; at < count; ++at) out[at] = source[at];                                                   \
    }                                                                                                  \
    TARGET static T sum(const T* values, std::size_t count) {                                          \
      Vector parts[8] = {};                                                                            \
      std::size_t at = 0;                                                                              \
      for (; at + 8 * lanes <= count; at += 8 * lanes) {                                               \
        for (std::size_t part = 0; part < 8; ++part) {                                                 \
          parts[part] += *reinterpret_cast<const Vector*>(values + at + part * lanes);                 \
        }                                                                                              \
      }                                                                                                \
      T total = 0;                                                                                     \
      for (const Vector& part : parts) {                                                               \
        for (std::size_t lane = 0; lane < lanes; ++lane) total += part[lane];                          \
      }                                                                                                \
      for (; at < count; ++at) total += values[at];                                                    \
      return total;                                                                                    \
    }                                                                                                  \
    TARGET static T max(const T* values, std::size_t count) {                                          \
      Vector parts[8];                                                                                 \
      for (Vector & part : parts) part = Vector{} + values[0];                                         \
      std::size_t at = 0;                                                                              \
      for (; at + 8 * lanes <= count; at += 8 * lanes) {                                               \
        for (std::size_t part = 0; part < 8; ++part) {                                                 \
          const Vector next = *reinterpret_cast<const Vector*>(values + at + part * lanes);            \
          parts[part] = next > parts[part] ? next : parts[part];                                       \
        }                                                                                              \
      }                                                                                                \
      T greatest = values[0];                                                                          \
      for (const Vector& part : parts) {                                                               \
        for (std::size_t lane = 0; lane < lanes; ++lane) {                                             \
          if (part[lane] > greatest) greatest = part[lane];                                            \
        }                                                                                              \
      }                                                                                                \
      for (; at < count; ++at) greatest = values[at] > greatest ? values[at] : greatest;               \
      return greatest;                                                                                 \
    }                                                                                                  \
    static constexpr LoopKernels<T> table{&add, &add_streaming, &copy_streaming, &sum, &max};          \
  };                                                                                                   \
  }

#define TENURE_LOOP_NO_TARGET
#define TENURE_LOOP_PLAIN_STORE(address, vector) *reinterpret_cast<Vector*>(address) = (vector)
TENURE_LOOP_LEVEL(baseline, TENURE_LOOP_NO_TARGET, 16, TENURE_LOOP_PLAIN_STORE)
#if defined(__x86_64__)
#define TENURE_LOOP_STREAM_256(address, vector) \
  _mm256_stream_si256(reinterpret_cast<__m256i*>(address), reinterpret_cast<__m256i>(vector))
#define TENURE_LOOP_STREAM_512(address, vector) \
  _mm512_stream_si512(reinterpret_cast<__m512i*>(address), reinterpret_cast<__m512i>(vector))
TENURE_LOOP_LEVEL(avx2, __attribute__((target("avx2"))), 32, TENURE_LOOP_STREAM_256)
TENURE_LOOP_LEVEL(avx512, __attribute__((target("avx512f"))), 64, TENURE_LOOP_STREAM_512)
#endif

// The best level that this processor runs.
template <class T>
const LoopKernels<T>& loop_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return avx512::Kernels<T>::table;
  if (__builtin_cpu_supports("avx2")) return avx2::Kernels<T>::table;
#endif
  return baseline::Kernels<T>::table;
}

inline const char* loop_level() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
#endif
  return "baseline";
}

}  // namespace tenure::bench
