// SPDX-License-Identifier: Apache-2.0
#include "cuda_version.hpp"

#include <cuda_runtime_api.h>

namespace tenure::cuda {

int built_with_version() noexcept { return CUDART_VERSION; }

}  // namespace tenure::cuda
