// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/out_of_memory.hpp"

#include "base/counted.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string describe(std::size_t bytes, const std::string& domain,
                     const std::optional<OutOfMemory::PoolSnapshot>& pool) {
  std::string text = "wanted ";
  text += bytes == OutOfMemory::unknown_bytes ? "memory" : counted(bytes, "byte");
  text += " of " + domain + ", found too little memory";
  if (pool) {
    text += " (the pool has " + counted(pool->live_count, "block") + " of " +
            counted(pool->live_bytes, "byte") + " out and " + counted(pool->idle_count, "block") + " of " +
            counted(pool->idle_bytes, "byte") + " idle)";
  }
  return text + "; release tensors or work in smaller pieces";
}

}  // namespace

OutOfMemory::OutOfMemory(std::string operation, std::size_t bytes, std::string domain,
                         std::optional<PoolSnapshot> pool, std::shared_ptr<const Error> cause)
    : Error(ErrorCode::out_of_memory, std::move(operation), describe(bytes, domain, pool), std::move(cause)),
      bytes_(bytes),
      pool_(pool),
      domain_(std::make_shared<const std::string>(std::move(domain))) {}

OutOfMemory::~OutOfMemory() = default;
OutOfMemory::OutOfMemory(const OutOfMemory&) noexcept = default;
OutOfMemory& OutOfMemory::operator=(const OutOfMemory&) noexcept = default;

}  // namespace tenure::inline TENURE_BUILD
