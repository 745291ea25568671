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
  // True while the container that got the block is being built: its elements are there already.
  bool is_filling() const noexcept { return state_.load(std::memory_order_relaxed) == State::filling; }
  void end_filling() noexcept { state_.store(State::handed_out, std::memory_order_release); }
  // Whether `address` is the block, and it has not been released.
  bool holds(const void* address) const noexcept;
  // Releases the block if `address` is it.
  bool take_back(void* address) noexcept;
  // Of the block, while it is held.
  Storage& storage() noexcept { return storage_; }

 private:
  enum class State : std::uint8_t {
    adopted,
    filling,
    handed_out,
    released
  };

  Storage storage_;
  void* address_ = nullptr;
  std::atomic<State> state_{State::adopted};
};

}  // namespace tenure::inline TENURE_BUILD
