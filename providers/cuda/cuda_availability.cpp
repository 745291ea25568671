// SPDX-License-Identifier: Apache-2.0
#include "cuda_availability.hpp"

namespace tenure::cuda {
namespace {

// Numbers of cudaError_t, which this file knows without CUDA's headers so that it can be tested anywhere.
constexpr int success = 0;
constexpr int stub_library = 34;
constexpr int insufficient_driver = 35;
constexpr int no_device = 100;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string explain_driver(const RuntimeAnswer& answer) {
  if (answer.driver_version == 0) {
    return "no NVIDIA driver (libcuda.so.1) on this machine; install one to use its CUDA devices";
  }
  return "the NVIDIA driver supports CUDA " + version_text(answer.driver_version) +
         " and this provider needs CUDA " + version_text(answer.runtime_version) + "; update the driver";
}

}  // namespace

std::string explain(const RuntimeAnswer& answer) {
  switch (answer.error) {
    case success:
      break;
    case stub_library:
      return "no NVIDIA driver on this machine, only the CUDA toolkit's stub of libcuda.so.1; install a "
             "driver or "
             "take the stubs folder out of LD_LIBRARY_PATH";
    case insufficient_driver:
      return explain_driver(answer);
    case no_device:
      return "no CUDA device on this machine, or CUDA_VISIBLE_DEVICES hides it";
    default:
      return "the CUDA runtime answered error " + std::to_string(answer.error) + " (" +
             std::string(answer.error_name) + ") when it was asked for devices";
  }
  return "this version has no CUDA domains yet, so that the " + std::to_string(answer.device_count) +
         " CUDA devices of this machine cannot be used";
}

}  // namespace tenure::cuda
