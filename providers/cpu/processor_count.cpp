// SPDX-License-Identifier: Apache-2.0
#include "processor_count.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>

namespace tenure::cpu {
namespace {

struct FreeSet {
  void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
};

}  // namespace

int processor_count() noexcept {
  // The kernel refuses a set that is smaller than its own, whose size it does not say.
  constexpr std::size_t processors_max = std::size_t{1} << 20;
  for (std::size_t processors = 1024; processors <= processors_max; processors *= 2) {
    const std::unique_ptr<cpu_set_t, FreeSet> set(CPU_ALLOC(processors));
    if (set == nullptr) return 1;
    const std::size_t bytes = CPU_ALLOC_SIZE(processors);
    if (sched_getaffinity(0, bytes, set.get()) == 0) return std::max(1, CPU_COUNT_S(bytes, set.get()));
    if (errno != EINVAL) return 1;
  }
  return 1;
}

}  // namespace tenure::cpu
