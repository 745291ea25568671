// SPDX-License-Identifier: Apache-2.0
// heap_blocks: counts heap blocks, and refuses them, by replacing the allocation functions of the program.
// Included once in it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace tenure_test {

inline std::int64_t blocks = 0;
inline std::int64_t freed_blocks = 0;
inline bool is_refusing = false;
inline std::int64_t refused_block = -1;  // how many are given before one is refused; negative: none is

inline void* take(std::size_t bytes, std::size_t alignment) {
  if (is_refusing || (refused_block >= 0 && refused_block-- == 0)) return nullptr;
  ++blocks;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

inline void give_back(void* address) noexcept {
  if (address != nullptr) ++freed_blocks;
  std::free(address);
}

// While it lives nothing can be allocated.
class NoMemory {
 public:
  NoMemory() noexcept { is_refusing = true; }
  NoMemory(const NoMemory&) = delete;
  NoMemory& operator=(const NoMemory&) = delete;
  ~NoMemory() { is_refusing = false; }
};

// How many the call takes.
template <class Call>
std::int64_t blocks_of(Call call) {
  const std::int64_t before = blocks;
  call();
  return blocks - before;
}

}  // namespace tenure_test

void* operator new(std::size_t bytes) {
  if (void* address = tenure_test::take(bytes, 16)) return address;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* address = tenure_test::take(bytes, static_cast<std::size_t>(alignment))) return address;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return tenure_test::take(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new[](std::size_t bytes) { return operator new(bytes); }
// GCC, which inlines these and not what allocates, would take them for mismatched.
[[gnu::noinline]] void operator delete(void* address) noexcept { tenure_test::give_back(address); }
[[gnu::noinline]] void operator delete(void* address, std::size_t) noexcept {
  tenure_test::give_back(address);
}
[[gnu::noinline]] void operator delete[](void* address) noexcept { tenure_test::give_back(address); }
[[gnu::noinline]] void operator delete[](void* address, std::size_t) noexcept {
  tenure_test::give_back(address);
}
[[gnu::noinline]] void operator delete(void* address, std::align_val_t) noexcept {
  tenure_test::give_back(address);
}
[[gnu::noinline]] void operator delete(void* address, std::size_t, std::align_val_t) noexcept {
  tenure_test::give_back(address);
}
