// SPDX-License-Identifier: Apache-2.0
// strided_copy: copying and filling host memory, for providers that bring no copy of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tenure/provider_engine.h"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// Every index of a box, from one place in host memory to another that shares no byte with it.
struct BoxCopy {
  void* target = nullptr;  // address of index (0, 0, ...); the same for source
  const void* source = nullptr;
  const std::int64_t* extents = nullptr;
  const std::int64_t* target_strides = nullptr;  // in elements; the same for source
  const std::int64_t* source_strides = nullptr;
  std::uint32_t rank = 0;  // at most TENURE_RANK_MAX; 0: one element
  std::uint32_t element_bytes = 1;
};

// The axes of a copy in bytes, unit axes left out, target's fastest first, and neighbours that both ends
// walk as one line fused.
class CopyAxes {
 public:
  struct Axis {
    std::int64_t extent;
    std::int64_t target_step;  // bytes
    std::int64_t source_step;  // bytes
  };

  explicit CopyAxes(const BoxCopy& copy) noexcept {
    const std::int64_t element_bytes = copy.element_bytes;
    for (std::uint32_t i = 0; i < copy.rank; ++i) {
      is_empty_ = is_empty_ || copy.extents[i] == 0;
      if (copy.extents[i] == 1) continue;
      axes_[count_++] = {copy.extents[i], copy.target_strides[i] * element_bytes,
                         copy.source_strides[i] * element_bytes};
    }
    std::sort(axes_.begin(), axes_.begin() + count_, [](const Axis& a, const Axis& b) {
      return std::pair(std::abs(a.target_step), std::abs(a.source_step)) <
             std::pair(std::abs(b.target_step), std::abs(b.source_step));
    });
    fuse();
  }

  bool is_empty() const noexcept { return is_empty_; }
  std::uint32_t count() const noexcept { return count_; }
  const Axis& operator[](std::uint32_t i) const noexcept { return axes_[i]; }

 private:
  void fuse() noexcept {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 1; i < count_; ++i) {
      Axis& last = axes_[kept];
      const Axis& next = axes_[i];
      if (next.target_step == last.target_step * last.extent &&
          next.source_step == last.source_step * last.extent) {
        last.extent *= next.extent;
      } else {
        axes_[++kept] = next;
      }
    }
    count_ = count_ == 0 ? 0 : kept + 1;
  }

  std::array<Axis, TENURE_RANK_MAX> axes_;
  std::uint32_t count_ = 0;
  bool is_empty_ = false;
};

// Copies `line.extent` elements of one line. A fixed element size makes each copy a load and a store.
template <std::size_t fixed_bytes>
void copy_line(std::byte* target, const std::byte* source, const CopyAxes::Axis& line,
               std::size_t element_bytes) noexcept {
  for (std::int64_t i = 0; i < line.extent; ++i) {
    std::memcpy(target, source, fixed_bytes != 0 ? fixed_bytes : element_bytes);
    target += line.target_step;
    source += line.source_step;
  }
}

using CopyLine = void (*)(std::byte*, const std::byte*, const CopyAxes::Axis&, std::size_t);

inline CopyLine choose_copy_line(std::size_t element_bytes) noexcept {
  switch (element_bytes) {
    case 1:
      return copy_line<1>;
    case 2:
      return copy_line<2>;
    case 4:
      return copy_line<4>;
    case 8:
      return copy_line<8>;
    case 16:
      return copy_line<16>;
    default:
      return copy_line<0>;
  }
}

// Copies the box. Single-threaded; strides may be negative.
inline void copy_box(const BoxCopy& copy) noexcept {
  const CopyAxes axes(copy);
  if (axes.is_empty()) return;
  auto* target = static_cast<std::byte*>(copy.target);
  const auto* source = static_cast<const std::byte*>(copy.source);

  // The innermost line: one block where both ends are contiguous, otherwise element by element.
  const auto element_step = static_cast<std::int64_t>(copy.element_bytes);
  CopyAxes::Axis line{1, element_step, element_step};
  if (axes.count() != 0) line = axes[0];
  std::size_t line_element_bytes = copy.element_bytes;
  if (line.target_step == element_step && line.source_step == element_step) {
    line_element_bytes *= static_cast<std::size_t>(line.extent);
    line.extent = 1;
  }
  const CopyLine run = choose_copy_line(line_element_bytes);

  std::array<std::int64_t, TENURE_RANK_MAX> index{};
  while (true) {
    run(target, source, line, line_element_bytes);
    std::uint32_t axis = 1;
    for (; axis < axes.count(); ++axis) {
      target += axes[axis].target_step;
      source += axes[axis].source_step;
      if (++index[axis] < axes[axis].extent) break;
      target -= axes[axis].target_step * axes[axis].extent;
      source -= axes[axis].source_step * axes[axis].extent;
      index[axis] = 0;
    }
    if (axis >= axes.count()) return;
  }
}

// Repeats `pattern` over `bytes`, a multiple of pattern_bytes, which is 1, 2, 4, 8 or 16.
inline void fill_bytes(void* target, std::uint64_t bytes, const void* pattern,
                       std::uint32_t pattern_bytes) noexcept {
  if (bytes == 0) return;
  auto* first = static_cast<std::byte*>(target);
  std::memcpy(first, pattern, pattern_bytes);
  // What is filled doubles with each step, up to a block that stays in the first-level cache.
  constexpr std::uint64_t block_bytes = 4096;
  for (std::uint64_t filled = pattern_bytes; filled < bytes;) {
    const std::uint64_t step = std::min({filled, bytes - filled, block_bytes});
    std::memcpy(first + filled, first, step);
    filled += step;
  }
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
