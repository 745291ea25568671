// SPDX-License-Identifier: Apache-2.0
#include "isa_level.hpp"

namespace tenure::cpu {

IsaLevel detect_isa_level() noexcept {
#if defined(__x86_64__)
  // Clang does not know the names of the levels, so their less common members are named one by one.
  const bool has_v3 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                      __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
  const bool has_v4 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                      __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                      __builtin_cpu_supports("avx512vl") != 0;
  if (has_v3 && has_v4) return IsaLevel::x86_64_v4;
  if (has_v3) return IsaLevel::x86_64_v3;
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
