// SPDX-License-Identifier: Apache-2.0
// cuda_availability: why the CUDA provider cannot work on a machine, in words for its user.
#pragma once

#include <string>

#include "cuda_driver.hpp"

namespace tenure::cuda {

// One sentence without a full stop; never empty, because this version has no domains. `needed_version` is the
// CUDA that the provider is built with; a driver of the same major version will do. Pure.
std::string explain(const DriverAnswer& answer, int needed_version);

}  // namespace tenure::cuda
