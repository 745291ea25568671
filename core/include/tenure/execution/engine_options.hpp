// SPDX-License-Identifier: Apache-2.0
// engine_options: what an engine is made of.
#pragma once

#include <cstdint>
#include <optional>

#include "tenure/memory/allocation_domain.hpp"
#include "tenure/memory/pool.hpp"

namespace tenure::inline TENURE_BUILD {

enum class EngineMode : std::uint8_t {
  serial,    // runs on the calling thread and starts none
  parallel,  // may use several
};

class Engine;

struct EngineOptions {
  EngineMode mode = EngineMode::serial;
  std::uint32_t threads = 0;  // of a parallel engine; 0: as many as the process may use, or as threads_of has
  // A parallel engine of the same instance whose threads the new one, which is parallel too, uses as well:
  // both together then run on no more. It need not live longer than the making. Null: threads of its own.
  const Engine* threads_of = nullptr;
  std::optional<AllocationDomain> domain{};  // of outputs, of any provider; absent: the instance's default
  PoolOptions pool{};                        // of outputs
};

}  // namespace tenure::inline TENURE_BUILD
