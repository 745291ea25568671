// SPDX-License-Identifier: Apache-2.0
// main: tenure-bench, which measures Tenure beside what people use today.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace {

constexpr const char* core_variable = "OPENBLAS_CORETYPE";

// The newest kernels of OpenBLAS that the processor can run; null where this is not known.
const char* newest_openblas_core() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bf16")) return "Cooperlake";
  if (__builtin_cpu_supports("avx512vl")) return "SkylakeX";
  if (__builtin_cpu_supports("avx2")) return "Haswell";
#endif
  return nullptr;
}

std::vector<std::string> openblas_variables() {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "OPENBLAS_", 9) == 0)
      names.emplace_back(*variable, std::strcspn(*variable, "="));
  }
  return names;
}

// OpenBLAS reads its variables when it is loaded, before main, in ours and in the peer. The rows compare what
// is done with the same kernels, and by itself the peer takes a processor that is younger than it for one of
// 2004. So the program starts again with the newest kernels for both and no other variable.
void restart_with_equal_kernels(char** argv) {
  const char* const core = newest_openblas_core();
  const std::vector<std::string> names = openblas_variables();
  const char* const chosen = std::getenv(core_variable);
  const bool is_chosen = core == nullptr
                             ? names.empty()
                             : names.size() == 1 && chosen != nullptr && std::strcmp(chosen, core) == 0;
  if (is_chosen) return;
  for (const std::string& name : names) ::unsetenv(name.c_str());
  if (core != nullptr) ::setenv(core_variable, core, 1);
  ::execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
  restart_with_equal_kernels(argv);
  return tenure::bench::run_command_line(argc, argv, std::cout, std::cerr);
}
