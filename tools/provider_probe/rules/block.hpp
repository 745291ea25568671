// SPDX-License-Identifier: Apache-2.0
// block: a storage of the provider under trial, and its bytes as the host sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/open_instance.hpp"

namespace tenure::probe {

// Releases its storage.
class Block {
 public:
  // Skips the rule when the storage is refused.
  Block(OpenInstance& instance, const DomainFacts& domain, std::uint64_t bytes);
  // Takes over a storage that the rule made itself.
  Block(OpenInstance& instance, const DomainFacts& domain, const tenure_storage_info& made) noexcept
      : instance_(&instance), domain_(&domain), info_(made) {}
  Block(Block&& other) noexcept;
  Block& operator=(Block&&) = delete;
  ~Block();

  const tenure_storage_info& info() const noexcept { return info_; }
  tenure_storage* storage() const noexcept { return info_.storage; }
  const DomainFacts& domain() const noexcept { return *domain_; }
  void release();
  // Somebody else has consumed the storage.
  void give_up() noexcept { info_.storage = nullptr; }

  // Whether `write` and `read` can reach the bytes, by mapping them or by a copy.
  bool is_reachable() const;
  // Replaces the first bytes; fails the rule when the provider refuses. Needs a reachable block.
  void write(std::span<const std::byte> bytes);
  // The first bytes.
  std::vector<std::byte> read(std::uint64_t bytes);

 private:
  OpenInstance* instance_;
  const DomainFacts* domain_;
  tenure_storage_info info_;
};

// A host mapping, unmapped at the end.
class HostMapping {
 public:
  // Fails the rule when mapping is refused or gives no address.
  HostMapping(OpenInstance& instance, tenure_storage* storage, std::uint32_t access);
  HostMapping(const HostMapping&) = delete;
  HostMapping& operator=(const HostMapping&) = delete;
  ~HostMapping();

  std::byte* address() const noexcept { return static_cast<std::byte*>(mapping_.address); }
  std::uint64_t bytes() const noexcept { return mapping_.bytes; }

 private:
  OpenInstance& instance_;
  tenure_storage* storage_;
  std::uint32_t access_;
  tenure_mapping mapping_;
};

// Bytes that differ from one another and between seeds, for writing and comparing.
std::vector<std::byte> pattern(std::uint64_t bytes, std::uint32_t seed);

// One compact run of bytes from one end to the other; an end is a storage or, without one, an address.
Answer copy_bytes(OpenInstance& instance, const tenure_place& source, const tenure_place& target,
                  std::uint64_t bytes);

}  // namespace tenure::probe
