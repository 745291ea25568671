// SPDX-License-Identifier: Apache-2.0
// cpu_engine: one executor of tensor operations, serial or parallel.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "executor.hpp"
#include "tenure/provider_engine.h"
#include "tenure/sdk/engine_table.hpp"

namespace tenure::cpu {

// Any thread may execute; an operation that fails leaves the engine as it was.
class CpuEngine {
 public:
  // Without `parallel` everything runs on the calling thread and oneTBB is not touched. Engines may share
  // one.
  CpuEngine(const KernelSet& kernels, std::shared_ptr<ParallelFor> parallel,
            std::uint64_t streaming_bytes_min);

  bool supports(std::uint32_t code, std::uint32_t function,
                std::span<const tenure_dtype> dtypes) const noexcept;

  // The threads that this engine uses, its callers' aside; null where it is serial.
  const std::shared_ptr<ParallelFor>& parallel() const noexcept { return parallel_; }

  // Complete on return. Throws INVALID_ARGUMENT and UNIMPLEMENTED before anything is written.
  void execute(const sdk::Operation& operation, tenure_stream* stream) const;

 private:
  const KernelSet& kernels_;
  std::shared_ptr<ParallelFor> parallel_;
  std::uint64_t streaming_bytes_min_;
};

}  // namespace tenure::cpu
