// SPDX-License-Identifier: Apache-2.0
#include "cpu_options.hpp"

#include <algorithm>
#include <string>

#include "cache_share.hpp"
#include "processor_count.hpp"
#include "tenure/sdk/error.hpp"
#include "tenure/sdk/pool/host_upstream.hpp"

namespace tenure::cpu {
namespace {

IsaLevel read_isa_level(sdk::OpenOptions& options) {
  const IsaLevel detected = detect_isa_level();
  const std::string name = options.text("isa", "auto");
  if (name == "auto") return detected;
  const std::optional<IsaLevel> level = parse_isa_level(name);
  if (!level) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "the option \"isa\" is \"" + name +
                                                  "\"; expected auto, baseline, x86-64-v3 or x86-64-v4");
  }
  if (*level > detected) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "the option \"isa\" is \"" + name + "\"; this processor has " +
                                                  std::string(isa_level_name(detected)));
  }
  return *level;
}

sdk::pool::Mode read_pool_mode(sdk::OpenOptions& options) {
  const std::optional<std::string> name = options.text("pool_mode");
  if (!name) return sdk::pool::default_mode;
  if (*name == "count") return sdk::pool::Mode::count;
  if (*name == "poison") return sdk::pool::Mode::poison;
  if (*name == "guard") return sdk::pool::Mode::guard;
  if (*name == "bypass") return sdk::pool::Mode::bypass;
  throw sdk::Error(TENURE_INVALID_ARGUMENT,
                   "the option \"pool_mode\" is \"" + *name + "\"; expected count, poison, guard or bypass");
}

}  // namespace

CpuOptions read_cpu_options(sdk::OpenOptions& options) {
  CpuOptions read{};
  read.isa_level = read_isa_level(options);
  read.pool.mode = read_pool_mode(options);
  // Idle memory leaves most of the machine to those who ask for it.
  const auto quarter = static_cast<std::int64_t>(sdk::pool::HostUpstream::memory_bytes() / 4);
  read.pool.retained_bytes_max =
      static_cast<std::uint64_t>(options.integer("pool_retained_bytes", quarter, 0));
  read.streaming_bytes_min = static_cast<std::uint64_t>(
      options.integer("streaming_bytes", static_cast<std::int64_t>(cache_share_bytes()), 0));
  const int available = std::min(processor_count(), threads_max);
  read.threads = static_cast<int>(options.integer("threads", available, 1, threads_max));
  return read;
}

}  // namespace tenure::cpu
