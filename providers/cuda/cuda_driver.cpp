// SPDX-License-Identifier: Apache-2.0
#include "cuda_driver.hpp"

#include <dlfcn.h>

namespace tenure::cuda {

DriverAnswer ask_driver(const char* library) noexcept {
  DriverAnswer answer;
  // A driver that was loaded once starts threads and keeps state, so that it is never closed.
  void* const driver = ::dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (driver == nullptr) return answer;
  const auto get_version = reinterpret_cast<int (*)(int*)>(::dlsym(driver, "cuDriverGetVersion"));
  if (get_version == nullptr) return answer;
  answer.is_found = true;
  answer.error = get_version(&answer.version);
  return answer;
}

}  // namespace tenure::cuda
