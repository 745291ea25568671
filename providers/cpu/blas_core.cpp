// SPDX-License-Identifier: Apache-2.0
// OpenBLAS chooses its kernels by the model number of the processor and takes a model that is younger than
// itself for a Prescott of 2004. The linker sends its choice here: where the processor has AVX2 and the
// chosen core is older than that, the choice is made again by the processor's features.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace {

using namespace std::literals;

// The cores of OpenBLAS that do without AVX2.
constexpr std::array old_cores{"Katmai"sv,   "Coppermine"sv, "Northwood"sv,    "Banias"sv,
                               "Prescott"sv, "Atom"sv,       "Nano"sv,         "Core2"sv,
                               "Penryn"sv,   "Dunnington"sv, "Nehalem"sv,      "Sandybridge"sv,
                               "Athlon"sv,   "Opteron"sv,    "Opteron_SSE3"sv, "Barcelona"sv,
                               "Bobcat"sv,   "Bulldozer"sv,  "Piledriver"sv,   "Steamroller"sv};
constexpr const char* core_variable = "OPENBLAS_CORETYPE";

constinit const char* core_by_features = nullptr;
constinit bool is_looked_at = false;  // before the library's constructor ends, so by one thread

}  // namespace

extern "C" {

// Parts of OpenBLAS.
extern void* gotoblas;  // the table of the chosen core's kernels
char* gotoblas_corename();
int support_avx2();
int support_avx512();
int support_avx512_bf16();

void __real_gotoblas_dynamic_init();
char* __real_getenv(const char* name);

// While the choice is made again it stands in for the variable, which is not set: that would reach the
// whole process.
char* __wrap_getenv(const char* name) {
  char* value = __real_getenv(name);
  if (value == nullptr && core_by_features != nullptr && std::string_view(name) == core_variable) {
    return const_cast<char*>(core_by_features);
  }
  return value;
}

void __wrap_gotoblas_dynamic_init() {
  __real_gotoblas_dynamic_init();
  if (std::exchange(is_looked_at, true)) return;
  if (__real_getenv(core_variable) != nullptr || support_avx2() == 0) return;
  if (std::ranges::find(old_cores, std::string_view(gotoblas_corename())) == old_cores.end()) return;
  core_by_features = support_avx512_bf16() != 0 ? "Cooperlake"
                     : support_avx512() != 0    ? "SkylakeX"
                                                : "Haswell";
  gotoblas = nullptr;
  __real_gotoblas_dynamic_init();
  core_by_features = nullptr;
}
}
