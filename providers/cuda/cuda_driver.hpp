// SPDX-License-Identifier: Apache-2.0
// cuda_driver: what the NVIDIA driver of a machine says about itself.
#pragma once

namespace tenure::cuda {

struct DriverAnswer {
  bool is_found = false;
  int error = 0;    // CUresult of asking for the version
  int version = 0;  // the newest CUDA that the driver supports: 1000 * major + 10 * minor
};

// Loads the driver's library, which stays loaded, and asks for its version: the one question that starts
// nothing and touches no device. `library` is what dlopen takes.
DriverAnswer ask_driver(const char* library = "libcuda.so.1") noexcept;

}  // namespace tenure::cuda
