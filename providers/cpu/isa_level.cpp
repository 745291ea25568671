// SPDX-License-Identifier: Apache-2.0
#include "isa_level.hpp"

#if defined(__x86_64__) && defined(__clang__)
#include <cpuid.h>
#endif

namespace tenure::cpu {

#if defined(__x86_64__)
namespace {

// Both builtins also ask whether the system saves the registers.
#if defined(__clang__)
// Clang knows neither the levels by name nor three members of v3, which need no registers but AVX2's.
bool has_v3() noexcept {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return false;
  const bool has_movbe_f16c = (ecx & bit_MOVBE) != 0 && (ecx & bit_F16C) != 0;
  if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) == 0) return false;
  const bool has_lzcnt = (ecx & bit_LZCNT) != 0;
  return has_movbe_f16c && has_lzcnt && __builtin_cpu_supports("avx2") != 0 &&
         __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("bmi") != 0 &&
         __builtin_cpu_supports("bmi2") != 0;
}

bool has_v4() noexcept {
  return has_v3() && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
}
#else
bool has_v3() noexcept { return __builtin_cpu_supports("x86-64-v3") != 0; }
bool has_v4() noexcept { return __builtin_cpu_supports("x86-64-v4") != 0; }
#endif

}  // namespace
#endif

IsaLevel detect_isa_level() noexcept {
#if defined(__x86_64__)
  if (has_v4()) return IsaLevel::x86_64_v4;
  if (has_v3()) return IsaLevel::x86_64_v3;
#endif
  return IsaLevel::baseline;
}

std::string_view isa_level_name(IsaLevel level) noexcept {
  switch (level) {
    case IsaLevel::baseline:
      return "baseline";
    case IsaLevel::x86_64_v3:
      return "x86-64-v3";
    case IsaLevel::x86_64_v4:
      return "x86-64-v4";
  }
  return "baseline";
}

std::optional<IsaLevel> parse_isa_level(std::string_view name) noexcept {
  for (const IsaLevel level : {IsaLevel::baseline, IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
    if (name == isa_level_name(level)) return level;
  }
  return std::nullopt;
}

}  // namespace tenure::cpu
