// SPDX-License-Identifier: Apache-2.0
// cuda_version: which CUDA this provider is built with.
#pragma once

namespace tenure::cuda {

// CUDA's number: 1000 * major + 10 * minor.
int built_with_version() noexcept;

}  // namespace tenure::cuda
