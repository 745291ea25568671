// SPDX-License-Identifier: Apache-2.0
// reduce_block: the order in which a block of elements is combined, for any reduction.
//
// A reduction has the static members `number`, its TENURE_REDUCE_*; Accumulator<T>, what elements of type T
// are gathered in; lift<T>, the accumulator of one computed element; identity<T>, that of none; apply, which
// combines two; finish<T>, the result.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "element.hpp"
#include "kernel_table.hpp"
#include "tenure/abi/operation_table.hpp"

namespace tenure::cpu {
namespace {

// A reduction whose accumulator is the computed element itself.
struct PlainReduction {
  template <class T>
  using Accumulator = Compute<T>;
  template <class T>
  TENURE_CPU_INLINE static Compute<T> lift(Compute<T> value) noexcept {
    return value;
  }
  template <class T>
  TENURE_CPU_INLINE static T finish(Compute<T> value) noexcept {
    return store<T>(value);
  }
};

// A block is read in rows of one element for each lane: element r belongs to lane r % lane_count. The first
// row begins the lanes. The others follow in steps of eight rows, at the end of four, of two and of one, of
// which each is combined by halves and then with the lanes; last comes a row that is not whole. Then the
// lanes are combined by halves, those without an element left out. All of it follows from the count alone.
// Few lanes leave room for many columns side by side, and large steps spare them most of the loads and
// stores.
template <class Accumulator>
constexpr std::int64_t lane_count = reduce_lane_bytes / static_cast<std::int64_t>(sizeof(Accumulator));

// Contiguous elements are fetched so far ahead of where they are combined.
constexpr std::int64_t reduce_fetch_bytes = 4096;

// at(First), at(First + Stride), ... up to at(Rows - 1), by halves.
template <class Function, std::size_t Rows, std::size_t First = 0, std::size_t Stride = 1, class At>
TENURE_CPU_INLINE auto combine_halves(const At& at) {
  if constexpr (Stride == Rows) {
    return at(First);
  } else {
    return Function::apply(combine_halves<Function, Rows, First, 2 * Stride>(at),
                           combine_halves<Function, Rows, First + Stride, 2 * Stride>(at));
  }
}

// Combines lanes with a step: `count` elements of each of Rows rows.
template <class Function, std::size_t Rows, class T, class Accumulator>
TENURE_CPU_INLINE void add_step(const std::array<const T*, Rows>& rows, std::int64_t count,
                                Accumulator* lanes) {
  TENURE_CPU_INDEPENDENT
  for (std::int64_t k = 0; k < count; ++k) {
    const auto at = [&rows, k](std::size_t i) { return Function::template lift<T>(load(rows[i][k])); };
    lanes[k] = Function::apply(lanes[k], combine_halves<Function, Rows>(at));
  }
}

// Calls add(integral_constant of the number of rows, first row) for each step of rows [1, end).
template <class Add>
TENURE_CPU_INLINE void for_each_step(std::int64_t end, const Add& add) {
  std::int64_t first = 1;
  for (; first + 8 <= end; first += 8) add(std::integral_constant<std::size_t, 8>{}, first);
  const std::int64_t left = end < first ? 0 : end - first;
  if ((left & 4) != 0) add(std::integral_constant<std::size_t, 4>{}, first);
  if ((left & 2) != 0) add(std::integral_constant<std::size_t, 2>{}, first + (left & 4));
  if ((left & 1) != 0) add(std::integral_constant<std::size_t, 1>{}, first + (left & 6));
}

// The first rows of a step, as many as a constant says; row i begins at row(i).
template <class Count, class Row>
TENURE_CPU_INLINE auto rows_of(Count, const Row& row) {
  return [&row]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{row(static_cast<std::int64_t>(I))...};
  }
  (std::make_index_sequence<Count::value>{});
}

// Halves of known length need no loop where they are short.
template <class Function, std::int64_t Distance, class Accumulator>
TENURE_CPU_INLINE void combine_full_lanes(Accumulator* lanes) {
  if constexpr (Distance > 0) {
    for (std::int64_t lane = 0; lane < Distance; ++lane) {
      lanes[lane] = Function::apply(lanes[lane], lanes[lane + Distance]);
    }
    combine_full_lanes<Function, Distance / 2>(lanes);
  }
}

// The lanes of `width` columns by halves, into the first. Lane l of column k is lanes[l * width + k]; those
// from `used` on are left out.
template <class Function, class Accumulator>
TENURE_CPU_INLINE void combine_lanes(Accumulator* lanes, std::int64_t used, std::int64_t width) {
  for (std::int64_t distance = lane_count<Accumulator> / 2; distance > 0; distance /= 2) {
    for (std::int64_t lane = 0; lane < distance && lane + distance < used; ++lane) {
      Accumulator* const left = lanes + lane * width;
      const Accumulator* const right = left + distance * width;
      for (std::int64_t k = 0; k < width; ++k) left[k] = Function::apply(left[k], right[k]);
    }
  }
}

// The whole rows of contiguous elements, at least one. Of its own, so that the lanes are vectors throughout.
template <class Function, class T, class Accumulator>
[[gnu::noinline]] void fill_lanes(const T* elements, std::int64_t rows, Accumulator* __restrict lanes) {
  constexpr std::int64_t lane_total = lane_count<Accumulator>;
  for (std::int64_t r = 0; r < lane_total; ++r) lanes[r] = Function::template lift<T>(load(elements[r]));
  for_each_step(rows, [&](auto row_count, std::int64_t first) {
    const T* const from = elements + first * lane_total;
    constexpr auto bytes = static_cast<std::int64_t>(sizeof(T) * row_count) * lane_total;
    const auto* const ahead = reinterpret_cast<const char*>(from) + reduce_fetch_bytes;
    for (std::int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(ahead + at);
    add_step<Function>(rows_of(row_count, [&](std::int64_t i) { return from + i * lane_total; }), lane_total,
                       lanes);
  });
}

// A row of fewer elements than lanes.
template <class Function, class T, class Accumulator>
TENURE_CPU_INLINE void add_part_of_row(const T* elements, std::int64_t count, Accumulator* lanes) {
  if constexpr (std::is_floating_point_v<Accumulator>) {
    // All lanes at once, since one comparison by itself is a branch that nobody foresees.
    TENURE_CPU_INDEPENDENT
    for (std::int64_t lane = 0; lane < lane_count<Accumulator>; ++lane) {
      const Accumulator other =
          lane < count ? Function::template lift<T>(load(elements[lane])) : Accumulator{};
      const Accumulator both = Function::apply(lanes[lane], other);
      lanes[lane] = lane < count ? both : lanes[lane];
    }
  } else {
    for (std::int64_t lane = 0; lane < count; ++lane) {
      lanes[lane] = Function::apply(lanes[lane], Function::template lift<T>(load(elements[lane])));
    }
  }
}

template <class Function, class T>
typename Function::template Accumulator<T> combine_row(const T* elements, std::int64_t count) {
  using Accumulator = typename Function::template Accumulator<T>;
  constexpr std::int64_t lane_total = lane_count<Accumulator>;
  Accumulator lanes[lane_count<Accumulator>];
  if (count < lane_total) {
    for (std::int64_t r = 0; r < count; ++r) lanes[r] = Function::template lift<T>(load(elements[r]));
    combine_lanes<Function>(lanes, count, 1);
    return lanes[0];
  }
  const std::int64_t rows = count / lane_total;
  fill_lanes<Function>(elements, rows, lanes);
  if (count % lane_total != 0) {
    add_part_of_row<Function>(elements + rows * lane_total, count % lane_total, lanes);
  }
  combine_full_lanes<Function, lane_total / 2>(lanes);
  return lanes[0];
}

// The accumulators of `width` columns, at the beginning of `lanes`. Where the rows follow each other without
// a gap the lanes do, too, and all are combined in one loop.
template <class Function, class T>
void combine_columns(const T* elements, const std::int64_t* row_offsets, std::int64_t count,
                     std::int64_t width, typename Function::template Accumulator<T>* lanes) {
  constexpr std::int64_t lane_total = lane_count<typename Function::template Accumulator<T>>;
  std::int64_t gaps = 0;
  for (std::int64_t r = 0; r < count; ++r) gaps |= row_offsets[r] ^ r * width;
  const std::int64_t used = count < lane_total ? count : lane_total;
  const std::int64_t lanes_at_once = gaps != 0 ? 1 : used;
  for (std::int64_t lane = 0; lane < used; lane += lanes_at_once) {
    const T* const row = elements + row_offsets[lane];
    auto* const to = lanes + lane * width;
    for (std::int64_t k = 0; k < lanes_at_once * width; ++k) to[k] = Function::template lift<T>(load(row[k]));
  }
  for_each_step(count / lane_total, [&](auto row_count, std::int64_t first) {
    for (std::int64_t lane = 0; lane < lane_total; lane += lanes_at_once) {
      const std::int64_t* const offsets = row_offsets + first * lane_total + lane;
      const auto row = [&](std::int64_t i) { return elements + offsets[i * lane_total]; };
      add_step<Function>(rows_of(row_count, row), lanes_at_once * width, lanes + lane * width);
    }
  });
  const std::int64_t last = count / lane_total * lane_total;
  for (std::int64_t lane = 0; last != 0 && lane < count - last; ++lane) {
    add_step<Function>(std::array{elements + row_offsets[last + lane]}, width, lanes + lane * width);
  }
  combine_lanes<Function>(lanes, used, width);
}

template <class Function, class T>
void rows_kernel(const void* in, std::int64_t step, std::int64_t lines, std::int64_t count,
                 void* accumulators) {
  const T* const elements = static_cast<const T*>(in);
  auto* const result = static_cast<typename Function::template Accumulator<T>*>(accumulators);
  for (std::int64_t k = 0; k < lines; ++k) result[k] = combine_row<Function>(elements + k * step, count);
}

template <class Function, class T>
void columns_kernel(const void* in, const std::int64_t* row_offsets, std::int64_t count, std::int64_t width,
                    void* scratch, void* accumulators) {
  using Accumulator = typename Function::template Accumulator<T>;
  Accumulator* const lanes = static_cast<Accumulator*>(scratch);
  combine_columns<Function>(static_cast<const T*>(in), row_offsets, count, width, lanes);
  Accumulator* const result = static_cast<Accumulator*>(accumulators);
  for (std::int64_t k = 0; k < width; ++k) result[k] = lanes[k];
}

template <class Function, class T>
void combine_kernel(void* accumulators, std::int64_t stride, std::int64_t count, std::int64_t width) {
  auto* const values = static_cast<typename Function::template Accumulator<T>*>(accumulators);
  for (std::int64_t distance = 1; distance < count; distance *= 2) {
    for (std::int64_t i = 0; i + distance < count; i += 2 * distance) {
      auto* const left = values + i * stride;
      const auto* const right = left + distance * stride;
      TENURE_CPU_INDEPENDENT
      for (std::int64_t k = 0; k < width; ++k) left[k] = Function::apply(left[k], right[k]);
    }
  }
}

template <class Function, class T, class Result>
void finish_kernel(const void* accumulators, std::int64_t count, std::int64_t, void* out,
                   std::int64_t stride) {
  const auto* const values = static_cast<const typename Function::template Accumulator<T>*>(accumulators);
  Result* const result = static_cast<Result*>(out);
  for (std::int64_t k = 0; k < count; ++k) result[k * stride] = Function::template finish<T>(values[k]);
}

template <class Function, class T>
void identity_kernel(void* accumulator) {
  *static_cast<typename Function::template Accumulator<T>*>(accumulator) = Function::template identity<T>();
}

template <class Function, std::size_t Dtype>
constexpr bool is_reduced = (abi::class_of(abi::dtype_table[Dtype].dtype) &
                             abi::find_reduction(Function::number)->operand_classes) != 0;

// A row of a table by dtype, its entries made by Make<Dtype>::kernels().
template <template <std::size_t> class Make>
constexpr ReduceRow reduce_row() {
  return []<std::size_t... Dtype>(std::index_sequence<Dtype...>) {
    return ReduceRow{Make<Dtype>::kernels()...};
  }
  (std::make_index_sequence<dtype_count>{});
}

}  // namespace
}  // namespace tenure::cpu
