// SPDX-License-Identifier: Apache-2.0
// address_sanitizer: tells AddressSanitizer, where it is compiled in, which bytes are out of bounds.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define TENURE_SDK_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENURE_SDK_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(TENURE_SDK_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

#if defined(TENURE_SDK_ADDRESS_SANITIZER)
inline constexpr bool is_address_sanitized = true;
#else
inline constexpr bool is_address_sanitized = false;
#endif

// Every access to the bytes is reported from now on.
inline void forbid_access([[maybe_unused]] const void* address,
                          [[maybe_unused]] std::uint64_t bytes) noexcept {
#if defined(TENURE_SDK_ADDRESS_SANITIZER)
  __asan_poison_memory_region(address, static_cast<std::size_t>(bytes));
#endif
}

inline void permit_access([[maybe_unused]] const void* address,
                          [[maybe_unused]] std::uint64_t bytes) noexcept {
#if defined(TENURE_SDK_ADDRESS_SANITIZER)
  __asan_unpoison_memory_region(address, static_cast<std::size_t>(bytes));
#endif
}

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
