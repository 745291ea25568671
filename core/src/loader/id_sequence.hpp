// SPDX-License-Identifier: Apache-2.0
// id_sequence: numbers that are given once.
#pragma once

#include <atomic>
#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// 1, 2, 3 ... and never a number again, not even after the last one. Safe from any thread.
class IdSequence {
 public:
  // Goes on after `last`.
  constexpr explicit IdSequence(std::uint64_t last = 0) noexcept : last_(last) {}

  // 0 when all numbers have been given.
  std::uint64_t next() noexcept {
    std::uint64_t last = last_.load(std::memory_order_relaxed);
    do {
      if (last == UINT64_MAX) return 0;
    } while (!last_.compare_exchange_weak(last, last + 1, std::memory_order_relaxed));
    return last + 1;
  }

 private:
  std::atomic<std::uint64_t> last_;
};

// Of all domains that instances of this process have.
IdSequence& domain_ids() noexcept;

}  // namespace tenure::inline TENURE_BUILD
