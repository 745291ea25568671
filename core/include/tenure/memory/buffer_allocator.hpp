// SPDX-License-Identifier: Apache-2.0
// buffer_allocator: the allocator of a std::vector whose first buffer was a tensor's bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenure/memory/buffer_adoption.hpp"

namespace tenure::inline TENURE_BUILD {

// Copies share one adoption. A vector that outgrows the adopted block gives it back and goes on in ordinary
// memory, aligned like the core's; a copy of the vector starts there. Default-constructed, it is an allocator
// of ordinary memory.
template <class T>
class BufferAllocator {
 public:
  static_assert(!std::is_same_v<T, bool>,
                "std::vector<bool> packs its elements into bits, so it cannot take over a tensor's bytes; "
                "read them with host_data().");

  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::false_type;

  BufferAllocator() noexcept = default;
  explicit BufferAllocator(std::shared_ptr<BufferAdoption> adoption) noexcept
      : adoption_(std::move(adoption)) {}
  template <class U>
  BufferAllocator(const BufferAllocator<U>& other) noexcept : adoption_(other.adoption()) {}

  T* allocate(std::size_t count) {
    if (adoption_ != nullptr) {
      if (void* block = adoption_->hand_out(count * sizeof(T))) return static_cast<T*>(block);
    }
    if (count > static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(count * sizeof(T), alignment));
  }
  void deallocate(T* address, std::size_t) noexcept {
    if (adoption_ != nullptr && adoption_->take_back(address)) return;
    ::operator delete(address, alignment);
  }
  // Leaves the elements that are in the adopted block as they are.
  template <class U, class... Arguments>
  void construct(U* address, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0) {
      if (adoption_ != nullptr && adoption_->is_filling()) return;
    }
    std::construct_at(address, std::forward<Arguments>(arguments)...);
  }
  BufferAllocator select_on_container_copy_construction() const noexcept { return {}; }

  const std::shared_ptr<BufferAdoption>& adoption() const noexcept { return adoption_; }
  template <class U>
  friend bool operator==(const BufferAllocator& a, const BufferAllocator<U>& b) noexcept {
    return a.adoption() == b.adoption();
  }

 private:
  static constexpr std::align_val_t alignment{Storage::host_alignment_bytes};
  std::shared_ptr<BufferAdoption> adoption_;
};

template <class T>
using BufferVector = std::vector<T, BufferAllocator<T>>;

// The elements of `storage` as a vector, without a copy. `adoption` is fresh and shared with nobody. The
// storage must be reachable by the host and hold a whole number of elements; it is empty afterwards.
template <class T>
BufferVector<T> adopt_buffer(std::shared_ptr<BufferAdoption> adoption, Storage&& storage) noexcept {
  const std::size_t count = storage.bytes() / sizeof(T);
  adoption->adopt(std::move(storage));
  BufferVector<T> vector(count, BufferAllocator<T>(adoption));
  adoption->end_filling();
  return vector;
}

}  // namespace tenure::inline TENURE_BUILD
