// SPDX-License-Identifier: Apache-2.0
// cuda_availability: why the CUDA provider cannot work on a machine, in words for its user.
#pragma once

#include <string>
#include <string_view>

namespace tenure::cuda {

// What the CUDA runtime said when it was asked for devices. Versions are CUDA's: 1000 * major + 10 * minor.
struct RuntimeAnswer {
  int error = 0;  // cudaError_t
  std::string_view error_name = "cudaSuccess";
  int device_count = 0;
  int driver_version = 0;  // the newest CUDA that the driver supports; 0: there is no driver
  int runtime_version = 0;
};

// One sentence without a full stop; never empty, because this version has no domains. Pure.
std::string explain(const RuntimeAnswer& answer);

}  // namespace tenure::cuda
