// SPDX-License-Identifier: Apache-2.0
// buffer_adoption: a storage whose bytes have become the buffer of one container.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "tenure/memory/storage.hpp"

namespace tenure::inline TENURE_BUILD {

// Shared by all copies of one allocator. The block is handed out once and released once; from then on nothing
// is special about its address, which the system may give out again.
class TENURE_API BufferAdoption {
 public:
  BufferAdoption() noexcept = default;
  BufferAdoption(const BufferAdoption&) = delete;
  BufferAdoption& operator=(const BufferAdoption&) = delete;

  // Takes the bytes over, out of their pool. Once, on a fresh object; host memory only.
  void adopt(Storage&& storage) noexcept;
  // The bytes if they are exactly `bytes` and have not been handed out, otherwise null.
  void* hand_out(std::size_t bytes) noexcept;
  // True while the container that got the block is being built: its elements are there already. Only the
  // thread that builds it knows the adoption then, so this is no atomic and costs next to nothing.
  bool is_filling() const noexcept { return is_filling_; }
  void end_filling() noexcept { is_filling_ = false; }
  // Whether `address` is the block, and it has not been released.
  bool holds(const void* address) const noexcept;
  // Releases the block if `address` is it.
  bool take_back(void* address) noexcept;
  // Of the block, while it is held.
  Storage& storage() noexcept { return storage_; }

 private:
  enum class State : std::uint8_t {
    adopted,
    handed_out,
    released
  };

  Storage storage_;
  void* address_ = nullptr;
  std::atomic<State> state_{State::adopted};
  bool is_filling_ = false;
};

}  // namespace tenure::inline TENURE_BUILD
