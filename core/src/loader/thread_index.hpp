// SPDX-License-Identifier: Apache-2.0
// thread_index: a small number for each living thread, and what is done when a thread ends.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Unique among living threads and reused afterwards, the smallest free one first. Valid on a thread until
// its very end. When a thread that has one ends, the pools of every open instance are told.
std::uint32_t thread_index() noexcept;

}  // namespace tenure::inline TENURE_BUILD
