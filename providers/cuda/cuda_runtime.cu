// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.hpp"

#include <cuda_runtime_api.h>

namespace tenure::cuda {

RuntimeAnswer ask_runtime() noexcept {
  RuntimeAnswer answer;
  // A runtime that fails leaves the count alone.
  const cudaError_t error = cudaGetDeviceCount(&answer.device_count);
  answer.error = error;
  answer.error_name = cudaGetErrorName(error);
  if (cudaDriverGetVersion(&answer.driver_version) != cudaSuccess) answer.driver_version = 0;
  answer.runtime_version = CUDART_VERSION;
  return answer;
}

}  // namespace tenure::cuda
