// SPDX-License-Identifier: Apache-2.0
// cuda_runtime: the CUDA runtime, which is linked in and finds the driver by itself.
#pragma once

#include "cuda_availability.hpp"

namespace tenure::cuda {

// Asks for devices. Creates no context; may load the driver, if there is one.
RuntimeAnswer ask_runtime() noexcept;

}  // namespace tenure::cuda
