// SPDX-License-Identifier: Apache-2.0
// fake_maps: the host maps of one storage that are alive.
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

  // FAILED_PRECONDITION when a map that is alive excludes a transfer with this access.
  void require_open_for(std::uint32_t access, const char* operation);

  // Ends all maps without storing what they wrote. Whether there were any.
  bool drop() noexcept;

 private:
  struct Free {
    void operator()(std::byte* address) const noexcept;
  };

  // What excludes an access, or empty. Call with the lock held.
  std::string find_conflict(std::uint32_t access) const;

  std::mutex mutex_;
  std::uint32_t readers_ = 0;
  bool has_writer_ = false;
  std::unique_ptr<std::byte, Free> window_;
};

}  // namespace tenure::fake
