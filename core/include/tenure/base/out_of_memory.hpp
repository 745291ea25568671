// SPDX-License-Identifier: Apache-2.0
// out_of_memory: memory that could not be had, with what was asked for and where.
#pragma once

#include <cstdint>
#include <optional>

#include "tenure/base/error.hpp"

namespace tenure::inline TENURE_BUILD {

// Thrown by every allocation. Nothing was taken; what was retained in the pool has been given up
// before, and the same call may succeed once something is released.
class TENURE_API OutOfMemory final : public Error {
 public:
  // What the pool held when it refused.
  struct PoolSnapshot {
    std::uint64_t idle_count = 0;
    std::uint64_t idle_bytes = 0;
    std::uint64_t live_count = 0;
    std::uint64_t live_bytes = 0;
  };

  static constexpr std::size_t unknown_bytes = 0;

  // `domain` is the name of the domain, "host" for the core's own memory. `pool` is absent when
  // plain storage was asked for.
  OutOfMemory(std::string operation, std::size_t bytes, std::string domain,
              std::optional<PoolSnapshot> pool = std::nullopt, std::shared_ptr<const Error> cause = nullptr);
  ~OutOfMemory() override;
  OutOfMemory(const OutOfMemory&) noexcept;
  OutOfMemory& operator=(const OutOfMemory&) noexcept;

  // unknown_bytes where many small pieces were asked for, of which one could not be had.
  std::size_t bytes() const noexcept { return bytes_; }
  std::string_view domain() const noexcept { return *domain_; }
  const std::optional<PoolSnapshot>& pool() const noexcept { return pool_; }

 private:
  std::size_t bytes_;
  std::optional<PoolSnapshot> pool_;
  std::shared_ptr<const std::string> domain_;
};

}  // namespace tenure::inline TENURE_BUILD
