// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/buffer_adoption.hpp"

namespace tenure::inline TENURE_BUILD {

void BufferAdoption::adopt(Storage&& storage) noexcept {
  storage_ = std::move(storage);
  storage_.extract();
  address_ = storage_.address();
  // Nobody asks for no bytes as the block.
  if (storage_.bytes() == 0) state_.store(State::released, std::memory_order_relaxed);
}

void* BufferAdoption::hand_out(std::size_t bytes) noexcept {
  if (state_.load(std::memory_order_relaxed) != State::adopted || bytes != storage_.bytes()) return nullptr;
  state_.store(State::handed_out, std::memory_order_relaxed);
  is_filling_ = true;
  return address_;
}

bool BufferAdoption::holds(const void* address) const noexcept {
  return address == address_ && state_.load(std::memory_order_acquire) != State::released;
}

bool BufferAdoption::take_back(void* address) noexcept {
  if (!holds(address)) return false;
  // Before the release, after which another thread may be given the same address.
  state_.store(State::released, std::memory_order_release);
  storage_.reset();
  return true;
}

}  // namespace tenure::inline TENURE_BUILD
