// SPDX-License-Identifier: Apache-2.0
// reduce_block: the order in which a block of elements is combined, for any reduction.
//
// A reduction has the static members `number`, its TENURE_REDUCE_*; Accumulator<T>, what elements of type T
// are gathered in; lift<T>, the accumulator of one computed element; identity<T>, that of none; apply, which
// combines two; finish<T>, the result.
#pragma once

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

// A block is accumulated in this many lanes: element r goes to lane r % lane_count. Then the lanes are
// combined by halves, where a lane without an element has no part. All of it follows from the count alone.
template <class Accumulator>
constexpr std::size_t lane_count = sizeof(Accumulator) <= 4 ? 64 : 256 / sizeof(Accumulator);

// Steps of known length need no loop where they are short.
template <class Function, std::int64_t Distance, class Accumulator>
TENURE_CPU_INLINE void combine_full_lanes(Accumulator* lanes) noexcept {
  for (std::int64_t lane = 0; lane < Distance; ++lane) {
    lanes[lane] = Function::apply(lanes[lane], lanes[lane + Distance]);
  }
  if constexpr (Distance > 1) combine_full_lanes<Function, Distance / 2>(lanes);
}

// A block with fewer elements than lanes.
template <class Function, class T>
typename Function::template Accumulator<T> combine_short_row(const T* elements, std::int64_t count) noexcept {
  using Accumulator = typename Function::template Accumulator<T>;
  Accumulator lanes[lane_count<Accumulator>];
  for (std::int64_t r = 0; r < count; ++r) lanes[r] = Function::template lift<T>(load(elements[r]));
  for (std::int64_t distance = lane_count<Accumulator> / 2; distance > 0; distance /= 2) {
    for (std::int64_t lane = 0; lane < distance && lane + distance < count; ++lane) {
      lanes[lane] = Function::apply(lanes[lane], lanes[lane + distance]);
    }
  }
  return lanes[0];
}

template <class Function, class T>
typename Function::template Accumulator<T> combine_row(const T* elements, std::int64_t count) noexcept {
  using Accumulator = typename Function::template Accumulator<T>;
  constexpr std::int64_t lane_total = lane_count<Accumulator>;
  if (count < lane_total) return combine_short_row<Function>(elements, count);
  const auto lifted = [elements](std::int64_t r) { return Function::template lift<T>(load(elements[r])); };
  Accumulator lanes[lane_count<Accumulator>];
  for (std::int64_t lane = 0; lane < lane_total; ++lane) lanes[lane] = lifted(lane);
  std::int64_t r = lane_total;
  for (; r + lane_total <= count; r += lane_total) {
    for (std::int64_t lane = 0; lane < lane_total; ++lane) {
      lanes[lane] = Function::apply(lanes[lane], lifted(r + lane));
    }
  }
  for (std::int64_t lane = 0; r + lane < count; ++lane) {
    lanes[lane] = Function::apply(lanes[lane], lifted(r + lane));
  }
  combine_full_lanes<Function, lane_total / 2>(lanes);
  return lanes[0];
}

// The lanes of `width` columns, lane l of column k at lanes[l * width + k]. Rows are read in their order; the
// processor does not foresee where the next one lies, so it is told.
template <class Function, class T, class Accumulator>
TENURE_CPU_INLINE void fill_lanes_by_rows(const T* elements, const std::int64_t* row_offsets,
                                          std::int64_t count, std::int64_t width, Accumulator* lanes) {
  constexpr std::int64_t lane_total = lane_count<Accumulator>;
  constexpr std::int64_t line_elements = 64 / static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t rows_ahead = 16;
  for (std::int64_t r = 0; r < count; ++r) {
    if (r + rows_ahead < count) {
      const T* const ahead = elements + row_offsets[r + rows_ahead];
      for (std::int64_t k = 0; k < width; k += line_elements) __builtin_prefetch(ahead + k, 0, 2);
    }
    const T* const row = elements + row_offsets[r];
    Accumulator* const lane = lanes + r % lane_total * width;
    if (r < lane_total) {
      for (std::int64_t k = 0; k < width; ++k) lane[k] = Function::template lift<T>(load(row[k]));
    } else {
      for (std::int64_t k = 0; k < width; ++k) {
        lane[k] = Function::apply(lane[k], Function::template lift<T>(load(row[k])));
      }
    }
  }
}

// The same where the rows follow each other without gaps: the lanes then do, too, and short rows make long
// loops.
template <class Function, class T, class Accumulator>
TENURE_CPU_INLINE void fill_lanes_at_once(const T* elements, std::int64_t count, std::int64_t width,
                                          Accumulator* lanes) {
  const std::int64_t total = count * width;
  const std::int64_t step = static_cast<std::int64_t>(lane_count<Accumulator>) * width;
  const std::int64_t first = step < total ? step : total;
  for (std::int64_t i = 0; i < first; ++i) lanes[i] = Function::template lift<T>(load(elements[i]));
  for (std::int64_t begin = step; begin < total; begin += step) {
    const std::int64_t length = total - begin < step ? total - begin : step;
    const T* const from = elements + begin;
    for (std::int64_t i = 0; i < length; ++i) {
      lanes[i] = Function::apply(lanes[i], Function::template lift<T>(load(from[i])));
    }
  }
}

template <class Function, class T>
void combine_columns(const T* elements, const std::int64_t* row_offsets, std::int64_t count,
                     std::int64_t width, typename Function::template Accumulator<T>* result) noexcept {
  using Accumulator = typename Function::template Accumulator<T>;
  constexpr std::int64_t lane_total = lane_count<Accumulator>;
  Accumulator lanes[lane_count<Accumulator> * reduce_width_max];
  std::int64_t gaps = 0;
  for (std::int64_t r = 0; r < count; ++r) gaps |= row_offsets[r] ^ r * width;
  if (gaps == 0) {
    fill_lanes_at_once<Function>(elements, count, width, lanes);
  } else {
    fill_lanes_by_rows<Function>(elements, row_offsets, count, width, lanes);
  }
  const std::int64_t used = count < lane_total ? count : lane_total;
  for (std::int64_t distance = lane_total / 2; distance > 0; distance /= 2) {
    for (std::int64_t lane = 0; lane < distance && lane + distance < used; ++lane) {
      Accumulator* const left = lanes + lane * width;
      const Accumulator* const right = left + distance * width;
      for (std::int64_t k = 0; k < width; ++k) left[k] = Function::apply(left[k], right[k]);
    }
  }
  for (std::int64_t k = 0; k < width; ++k) result[k] = lanes[k];
}

template <class Function, class T>
void row_kernel(const void* in, std::int64_t count, void* accumulator) {
  *static_cast<typename Function::template Accumulator<T>*>(accumulator) =
      combine_row<Function>(static_cast<const T*>(in), count);
}

template <class Function, class T>
void column_kernel(const void* in, const std::int64_t* row_offsets, std::int64_t count, std::int64_t width,
                   void* accumulators) {
  combine_columns<Function>(static_cast<const T*>(in), row_offsets, count, width,
                            static_cast<typename Function::template Accumulator<T>*>(accumulators));
}

template <class Function, class T>
void combine_kernel(void* accumulators, std::int64_t count) {
  auto* const values = static_cast<typename Function::template Accumulator<T>*>(accumulators);
  for (std::int64_t distance = 1; distance < count; distance *= 2) {
    for (std::int64_t i = 0; i + distance < count; i += 2 * distance) {
      values[i] = Function::apply(values[i], values[i + distance]);
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
