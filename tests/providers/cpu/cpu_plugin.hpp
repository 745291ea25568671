// SPDX-License-Identifier: Apache-2.0
// cpu_plugin: the CPU provider, loaded as the core loads it and used through the C contract.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_abi.h"
#include "tenure/provider_engine.h"
#include "tenure/provider_pool.h"

namespace cpu_test {

using Options = std::vector<std::pair<std::string, std::string>>;

// The provider's table; the file is mapped at the first call.
const tenure_provider& plugin();

// A host that allocates with malloc, counts threads and prints nothing.
const tenure_host& host();

// Opens; a refusal is kept, not thrown.
struct OpenResult {
  tenure_instance* instance = nullptr;
  std::int32_t code = 0;
  std::string message;
};
OpenResult open(const Options& options);

// The names of the ISA levels that this processor has.
std::vector<std::string> isa_levels();

// Options of each level as it is, and with all results stored past the caches.
std::vector<Options> isa_levels_with_and_without_streaming();

class Instance {
 public:
  explicit Instance(const Options& options = {});
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  tenure_instance* handle() const { return handle_; }
  const tenure_instance_api& api() const { return *plugin().instance; }
  const tenure_engine_api& engines() const;
  const tenure_pool_api& pools() const;

 private:
  tenure_instance* handle_;
};

// The code and the message of a call.
struct Outcome {
  std::int32_t code;
  std::string message;
};

class Engine {
 public:
  explicit Engine(const Instance& instance, std::uint32_t mode = TENURE_ENGINE_SERIAL,
                  std::uint32_t threads = 0, const Engine* threads_of = nullptr);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  Outcome execute(std::uint32_t code, std::span<const tenure_operand> operands,
                  const void* attributes = nullptr, std::uint32_t batch_policy = TENURE_BATCH_AUTO) const;
  bool supports(std::uint32_t code, std::uint32_t function, const std::vector<tenure_dtype>& dtypes) const;
  tenure_engine* handle() const { return handle_; }

 private:
  const tenure_engine_api& api_;
  tenure_engine* handle_ = nullptr;
};

}  // namespace cpu_test
