// SPDX-License-Identifier: Apache-2.0
#include "loader/process_facts.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstdlib>

#include "loader/sanitizer_symbols.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// The builtin looks at the CPU and at whether the operating system saves the registers.
std::uint16_t isa_level_here() noexcept {
#if defined(__x86_64__)
  const bool level_2 = __builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3") &&
                       __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
                       __builtin_cpu_supports("popcnt");
  const bool level_3 = level_2 && __builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") &&
                       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                       __builtin_cpu_supports("fma");
  const bool level_4 = level_3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl");
  return level_4 ? 4 : level_3 ? 3 : level_2 ? 2 : 1;
#else
  return 0;
#endif
}

std::uint32_t sanitizers_here() {
  std::uint32_t sanitizers = 0;
  for (const SanitizerSymbol& symbol : sanitizer_symbols) {
    if (process_defines(symbol.name)) sanitizers |= symbol.sanitizer;
  }
  return sanitizers;
}

}  // namespace

HostFacts host_facts() {
  static const HostFacts facts{TENURE_ABI_MAJOR, TENURE_ABI_MINOR, isa_level_here(), sanitizers_here()};
  return facts;
}

bool process_is_privileged() noexcept { return ::getauxval(AT_SECURE) != 0; }

PathPolicy default_path_policy(bool privileged) noexcept {
  return privileged ? PathPolicy::strict : PathPolicy::warn;
}

std::optional<std::string> trusted_environment(const char* name) {
  const char* const value = ::secure_getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<std::string> find_loaded_library(const std::string& name) {
  void* const handle = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) {
    ::dlerror();  // taken, so that nobody finds it later and believes it to be their own
    return std::nullopt;
  }
  std::string path;
  const link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 && map != nullptr) path = map->l_name;
  ::dlclose(handle);
  return path;
}

bool process_defines(const std::string& symbol) {
  ::dlerror();
  ::dlsym(RTLD_DEFAULT, symbol.c_str());
  return ::dlerror() == nullptr;  // a symbol's value may be null
}

}  // namespace tenure::inline TENURE_BUILD
