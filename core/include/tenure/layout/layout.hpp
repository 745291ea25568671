// SPDX-License-Identifier: Apache-2.0
// layout: where the elements of a tensor lie: extents, strides and an offset, in elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "tenure/layout/axis_storage.hpp"
#include "tenure/layout/axis_values.hpp"
#include "tenure/layout/slice.hpp"

namespace tenure::inline TENURE_BUILD {

class OwnerState;

// What is known about whether no two indices of a layout name the same element.
enum class Injectivity : std::uint8_t {
  unknown,
  yes,
  no
};

// The lowest and the highest element that a layout reaches.
struct ElementReach {
  std::int64_t lowest;
  std::int64_t highest;

  bool operator==(const ElementReach&) const = default;
};

// Index (i, j, ...) names element offset + i * strides[0] + j * strides[1] + ... A value: nothing refers to
// memory, and a moved-from layout has rank 0.
//
// Every layout that exists is sound: no negative extent, rank at most rank_max, element count and reach
// within std::int64_t. So transforms of a layout never overflow. Strides that cannot matter are canonical: 1
// on an axis of extent 0 or 1; a layout without elements has only strides of 1 and offset 0. Two layouts are
// equal when they map the same indices to the same elements.
//
// Axes count from the end when negative. No function allocates for ranks up to 6.
class TENURE_API Layout {
 public:
  static constexpr std::int64_t rank_max = 64;

  // Rank 0: one element at offset 0.
  Layout() noexcept = default;
  // Compact with the first axis fastest, at offset 0.
  static Layout column_major(AxisValues extents);
  // Compact with the last axis fastest, at offset 0.
  static Layout row_major(AxisValues extents);
  // Compact with axis 1, the channels, fastest and then the last axis, at offset 0: [N, C, H, W] lies in
  // memory as [N, H, W, C], and [N, C, D, H, W] as [N, D, H, W, C]. Throws InvalidArgument at any other rank.
  static Layout channels_last(AxisValues extents);
  // Any strides, also 0 and negative. The offset may be negative; see require_within.
  static Layout strided(AxisValues extents, AxisValues strides, std::int64_t offset_elements = 0);

  std::int64_t rank() const noexcept { return axes_.rank(); }
  std::span<const std::int64_t> extents() const noexcept TENURE_LIFETIME_BOUND {
    return {axes_.extents(), static_cast<std::size_t>(axes_.rank())};
  }
  std::span<const std::int64_t> strides() const noexcept TENURE_LIFETIME_BOUND {
    return {axes_.strides(), static_cast<std::size_t>(axes_.rank())};
  }
  // Of one axis, which must lie in [0, rank).
  std::int64_t extent(std::int64_t axis) const noexcept { return axes_.extents()[axis]; }
  std::int64_t stride(std::int64_t axis) const noexcept { return axes_.strides()[axis]; }
  // The element of index (0, 0, ...).
  std::int64_t offset() const noexcept { return offset_; }
  std::int64_t element_count() const noexcept {
    // Unsigned, because a product that ends in zero may pass through numbers that do not fit.
    std::uint64_t count = 1;
    for (const std::int64_t extent : extents()) count *= static_cast<std::uint64_t>(extent);
    return static_cast<std::int64_t>(count);
  }
  bool is_empty() const noexcept {
    bool empty = false;
    for (const std::int64_t extent : extents()) empty |= extent == 0;
    return empty;
  }

  // Nothing when there are no elements.
  std::optional<ElementReach> reach() const noexcept {
    // Unsigned, because without elements the other extents may be such that no number holds their reach.
    auto lowest = static_cast<std::uint64_t>(offset_);
    std::uint64_t highest = lowest;
    std::int64_t last_indices = 0;  // below zero when one of them is
    const std::int64_t* const extents = axes_.extents();
    const std::int64_t* const strides = axes_.strides();
    for (std::int64_t axis = 0; axis < rank(); ++axis) {
      const std::int64_t last_index = extents[axis] - 1;
      last_indices |= last_index;
      const std::uint64_t distance =
          static_cast<std::uint64_t>(last_index) * static_cast<std::uint64_t>(strides[axis]);
      lowest += strides[axis] < 0 ? distance : 0;
      highest += strides[axis] < 0 ? 0 : distance;
    }
    if (last_indices < 0) return std::nullopt;
    return ElementReach{static_cast<std::int64_t>(lowest), static_cast<std::int64_t>(highest)};
  }
  // Throws ViewOutOfBounds unless every element lies in [0, available_elements).
  void require_within(std::int64_t available_elements) const;
  // Bytes from element 0 to the end of the highest element; 0 without elements. Throws ViewOutOfBounds when
  // elements below 0 are reached.
  std::size_t required_bytes(std::size_t element_bytes) const;

  // The element that an index names. Throws RankMismatch or IndexOutOfBounds; negative indices are not taken.
  std::int64_t element_at(AxisValues index) const;
  // The same, or nothing where element_at throws.
  std::optional<std::int64_t> find_element(AxisValues index) const noexcept;
  // Throws for such an index what element_at throws, naming `operation`. Bit i of `unsigned_axes`: number i
  // has the bits of a std::uint64_t that no std::int64_t holds.
  [[noreturn]] void throw_outside(const char* operation, AxisValues index, std::uint64_t unsigned_axes) const;

  // Derived from extents and strides at each call. All hold for a layout without elements, except
  // is_channels_last() at another rank than 4 or 5. Several may hold: of one channel, for example.
  // Compact with the first axis fastest, at any offset.
  bool is_column_major() const noexcept;
  // Compact with the last axis fastest, at any offset.
  bool is_row_major() const noexcept;
  // Compact with axis 1 fastest and then the last axis, at rank 4 or 5 and at any offset.
  bool is_channels_last() const noexcept;
  // The elements fill a range without holes, each of them once, in any order and direction of the axes.
  bool is_dense() const noexcept;

  // What is known without a search; see layout/injectivity.hpp.
  Injectivity injectivity() const noexcept { return injectivity_; }
  // Keeps the answer of a search. It must be right.
  void record_injectivity(Injectivity answer) noexcept { injectivity_ = answer; }

  // Axis i of the result is axis axes[i] of this layout.
  Layout permute(AxisValues axes) const;
  // All axes in reverse order.
  Layout transposed() const;
  // Fixes one index and drops its axis. A negative index counts from the end.
  Layout select(std::int64_t axis, std::int64_t index) const;
  Layout slice(std::int64_t axis, const Slice& slice) const;
  // One slice for each axis.
  Layout slice(std::span<const Slice> slices) const;
  Layout slice(std::initializer_list<Slice> slices) const;
  // Walks one axis backwards.
  Layout flip(std::int64_t axis) const;
  // Walks two axes at once: index i of `axis` names index i of both, and `other_axis` is dropped. `offset`
  // moves the diagonal along `other_axis`, a negative one along `axis`; where it misses the elements the
  // extent is 0. Throws DuplicateAxis.
  Layout diagonal(std::int64_t axis, std::int64_t other_axis, std::int64_t offset = 0) const;
  // A new axis of extent 1 that becomes axis `axis`, in [-rank - 1, rank].
  Layout insert_axis(std::int64_t axis) const;
  // Drops an axis of extent 1.
  Layout remove_axis(std::int64_t axis) const;
  // Repeats axes of extent 1, with stride 0. The rank stays.
  Layout broadcast_to(AxisValues extents) const;
  // The same elements in the same order, the first axis fastest. Throws NotCompact where that takes a copy.
  Layout reshape(AxisValues extents) const;
  // The same bytes as smaller elements, `parts` in each: the axis, of stride 1, becomes that much longer.
  Layout split_elements(std::int64_t axis, std::int64_t parts) const;
  // The inverse: `parts` neighbours along the axis, of stride 1, become one element. The extent of the axis,
  // the offset and the other strides must be multiples of `parts`.
  Layout join_elements(std::int64_t axis, std::int64_t parts) const;
  // A layout of complex elements as one of their parts: a new first axis of extent 2, real then imaginary.
  Layout as_real() const;
  // The inverse: the first axis must have extent 2 and stride 1, offset and other strides must be even.
  Layout as_complex() const;

  // Does not compare what is known about injectivity.
  friend TENURE_API bool operator==(const Layout& a, const Layout& b) noexcept;

 private:
  friend class OwnerState;
  // column_major of extents that were checked, as those of an owner were when it was made.
  static Layout column_major_of_checked(std::span<const std::int64_t> extents) {
    Layout layout(static_cast<std::int64_t>(extents.size()));
    std::int64_t* const to_extents = layout.axes_.extents();
    std::int64_t* const to_strides = layout.axes_.strides();
    // Unsigned, because a product that ends in zero may pass through numbers that do not fit.
    std::uint64_t stride = 1;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      const std::int64_t extent = extents[axis];
      to_extents[axis] = extent;
      to_strides[axis] = extent == 1 ? 1 : static_cast<std::int64_t>(stride);
      stride *= static_cast<std::uint64_t>(extent);
    }
    if (stride == 0) [[unlikely]] {
      for (std::size_t axis = 0; axis < extents.size(); ++axis) to_strides[axis] = 1;
    }
    return layout;
  }
  // The values of the axes are unspecified until they are written.
  explicit Layout(std::int64_t rank, std::int64_t offset_elements = 0,
                  Injectivity injectivity = Injectivity::yes)
      : axes_(rank), offset_(offset_elements), injectivity_(injectivity) {}
  static Layout checked(const char* operation, AxisValues extents, AxisValues strides,
                        std::int64_t offset_elements);
  Layout without_axis(std::int64_t axis) const;
  Layout split(const char* operation, std::int64_t axis, std::int64_t parts) const;
  Layout join(const char* operation, std::int64_t axis, std::int64_t parts) const;
  // After a transform of whose injectivity only a yes holds on.
  void finish_selection(bool is_now_empty) noexcept;

  AxisStorage<2> axes_;
  std::int64_t offset_ = 0;
  Injectivity injectivity_ = Injectivity::yes;
};

static_assert(sizeof(Layout) <= 128);

}  // namespace tenure::inline TENURE_BUILD
