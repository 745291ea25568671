// SPDX-License-Identifier: Apache-2.0
// heap_blocks: counts heap blocks by replacing the allocation functions of the program. Included once in it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace tenure_test {

inline std::int64_t blocks = 0;

inline void* take(std::size_t bytes, std::size_t alignment) {
  ++blocks;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

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
// GCC, which inlines these and not what allocates, would take them for mismatched.
[[gnu::noinline]] void operator delete(void* address) noexcept { std::free(address); }
[[gnu::noinline]] void operator delete(void* address, std::size_t) noexcept { std::free(address); }
[[gnu::noinline]] void operator delete(void* address, std::align_val_t) noexcept { std::free(address); }
[[gnu::noinline]] void operator delete(void* address, std::size_t, std::align_val_t) noexcept {
  std::free(address);
}
