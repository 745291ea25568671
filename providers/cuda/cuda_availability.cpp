// SPDX-License-Identifier: Apache-2.0
#include "cuda_availability.hpp"

namespace tenure::cuda {
namespace {

// A number of CUresult, which this file knows without CUDA's headers so that it can be tested anywhere.
constexpr int stub_library = 34;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::string explain(const DriverAnswer& answer, int needed_version) {
  if (!answer.is_found) {
    return "no NVIDIA driver (libcuda.so.1) on this machine; install one to use its CUDA devices";
  }
  if (answer.error == stub_library) {
    return "no NVIDIA driver on this machine, only the CUDA toolkit's stub of libcuda.so.1; install a driver "
           "or take the stubs folder out of LD_LIBRARY_PATH";
  }
  if (answer.error != 0) {
    return "the NVIDIA driver answered error " + std::to_string(answer.error) +
           " when it was asked for its version; reinstall the driver";
  }
  if (answer.version / 1000 < needed_version / 1000) {
    return "the NVIDIA driver supports CUDA " + version_text(answer.version) +
           " and this provider needs CUDA " + version_text(needed_version / 1000 * 1000) +
           "; update the driver";
  }
  return "this version has no CUDA domains yet, so that the CUDA devices of this machine cannot be used";
}

}  // namespace tenure::cuda
