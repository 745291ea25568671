// SPDX-License-Identifier: Apache-2.0
// isa_level: how much of the processor's instruction set the kernels use.
#pragma once

#include <optional>
#include <string_view>

namespace tenure::cpu {

// Ordered: a processor that has a level has all before it.
enum class IsaLevel {
  baseline,  // what the compiler assumes of every processor of this architecture
  x86_64_v3,
  x86_64_v4,
};

// The highest level that this processor and this build have.
IsaLevel detect_isa_level() noexcept;

// "baseline", "x86-64-v3" or "x86-64-v4".
std::string_view isa_level_name(IsaLevel level) noexcept;

// Nothing for any other name.
std::optional<IsaLevel> parse_isa_level(std::string_view name) noexcept;

}  // namespace tenure::cpu
