// SPDX-License-Identifier: Apache-2.0
// fake_maps: the host maps of one storage that are alive, and the transfers that are under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace tenure::fake {

// The memory that is mapped.
struct MappedMemory {
  std::byte* address;
  std::uint64_t bytes;
  std::uint64_t alignment_bytes;
  bool is_coherent;
};

// Read maps nest, a map that writes excludes every other; who comes second is refused and does not wait.
// A transfer that reads and a map that writes exclude each other, and so do a transfer that writes and any
// map. Transfers do not exclude transfers, which may concern different bytes.
// Memory that is not coherent is seen through a window, a copy that the first map loads and that a map
// that wrote stores when it ends. Its address is new each time, so that the host cannot keep one.
class FakeMaps {
 public:
  FakeMaps() = default;
  // Maps belong to one storage: a copy, made for another one, has none.
  FakeMaps(const FakeMaps&) noexcept {}
  FakeMaps& operator=(const FakeMaps&) = delete;

  // The address at which the host sees the memory, until the matching end. FAILED_PRECONDITION, worth a
  // retry, when another map excludes this one.
  void* begin(const MappedMemory& memory, std::uint32_t access);
  // False, and nothing happened, when no map with this kind of access is alive.
  bool end(const MappedMemory& memory, std::uint32_t access) noexcept;

  // A transfer with this access is under way until the matching end. FAILED_PRECONDITION, worth a retry,
  // when a map excludes it; `operation` begins the message.
  void begin_transfer(std::uint32_t access, const char* operation);
  void end_transfer(std::uint32_t access) noexcept;

  // FAILED_PRECONDITION, worth a retry, when a map is alive or a transfer under way.
  void require_idle(const char* operation);

  // Ends all maps without storing what they wrote. Whether there were any.
  bool drop() noexcept;

 private:
  struct Free {
    void operator()(std::byte* address) const noexcept;
  };

  // Of the maps, and of the transfers, what excludes an access, or empty. Call with the lock held.
  std::string find_map_conflict(std::uint32_t access) const;
  std::string find_transfer_conflict(std::uint32_t access) const;
  // Throws when there is one of either. Call with the lock held.
  void require_no_conflict(std::uint32_t access, const char* operation) const;

  std::mutex mutex_;
  std::uint32_t readers_ = 0;
  bool has_writer_ = false;
  std::uint32_t reading_transfers_ = 0;
  std::uint32_t writing_transfers_ = 0;
  std::unique_ptr<std::byte, Free> window_;
};

// A transfer for as long as this lives.
class FakeTransfer {
 public:
  FakeTransfer(FakeMaps& maps, std::uint32_t access, const char* operation) : maps_(maps), access_(access) {
    maps_.begin_transfer(access, operation);
  }
  ~FakeTransfer() { maps_.end_transfer(access_); }
  FakeTransfer(const FakeTransfer&) = delete;
  FakeTransfer& operator=(const FakeTransfer&) = delete;

 private:
  FakeMaps& maps_;
  std::uint32_t access_;
};

}  // namespace tenure::fake
