// SPDX-License-Identifier: Apache-2.0
#include "reduce_block.hpp"

namespace tenure::cpu {
namespace {

// The extremum so far and the place of its first element. Accumulators are combined in the order of their
// places, so of two equal values the left one is the first.
template <class T>
struct Located {
  Compute<T> value;
  std::int64_t place;
};

// Counts rows of a block in a type like a value's where that is possible, so that both are chosen alike.
template <class T>
using RowNumber = std::conditional_t<std::is_floating_point_v<Compute<T>>, Compute<T>,
                                     std::conditional_t<sizeof(Compute<T>) == 8, std::int64_t, std::int32_t>>;

struct ArgMax {
  static constexpr std::uint32_t number = TENURE_REDUCE_ARGMAX;
  // Whether b comes to stand in for a: larger, or the first NaN.
  template <class T>
  TENURE_CPU_INLINE static auto is_better(T b, T a) noexcept {
    return (a == a) & ((b > a) | (b != b));
  }
};

struct ArgMin {
  static constexpr std::uint32_t number = TENURE_REDUCE_ARGMIN;
  template <class T>
  TENURE_CPU_INLINE static auto is_better(T b, T a) noexcept {
    return (a == a) & ((b < a) | (b != b));
  }
};

template <class Function>
struct Place {
  static constexpr std::uint32_t number = Function::number;
  template <class T>
  using Accumulator = Located<T>;
  template <class Value>
  static Value apply(Value a, Value b) noexcept {
    return Function::is_better(b.value, a.value) ? b : a;
  }
  template <class T>
  static std::int64_t finish(Located<T> found) noexcept {
    return found.place;
  }
};

// The extremum alone.
template <class Function>
struct Extremum : PlainReduction {
  template <class T>
  static T apply(T a, T b) noexcept {
    return Function::is_better(b, a) ? b : a;
  }
};

// Finds the extremum first and then, in a block that is in the cache by now, where it is.
template <class Function, class T>
Located<T> find_place(const T* elements, std::int64_t count) noexcept {
  constexpr std::int64_t piece_elements = 64;
  const Compute<T> value = combine_row<Extremum<Function>>(elements, count);
  const auto is_it = [value](Compute<T> x) { return (x == value) | ((x != x) & (value != value)); };
  std::int64_t place = 0;
  for (; place + piece_elements <= count; place += piece_elements) {
    int found = 0;
    for (std::int64_t r = 0; r < piece_elements; ++r) found |= is_it(load(elements[place + r]));
    if (found != 0) break;
  }
  while (!is_it(load(elements[place]))) ++place;
  return {value, place};
}

template <class Function, class T>
void place_rows_kernel(const void* in, std::int64_t step, std::int64_t lines, std::int64_t count,
                       void* accumulators) {
  const T* const elements = static_cast<const T*>(in);
  Located<T>* const result = static_cast<Located<T>*>(accumulators);
  for (std::int64_t k = 0; k < lines; ++k) result[k] = find_place<Function>(elements + k * step, count);
}

template <class Function, class T>
void place_columns_kernel(const void* in, const std::int64_t* row_offsets, std::int64_t count,
                          std::int64_t width, void* scratch, void* accumulators) {
  const T* const elements = static_cast<const T*>(in);
  static_assert(sizeof(RowNumber<T>) + sizeof(Compute<T>) <= reduce_lane_bytes);
  // The wider type first, so that both are aligned.
  RowNumber<T>* const rows = static_cast<RowNumber<T>*>(scratch);
  Compute<T>* const values = reinterpret_cast<Compute<T>*>(rows + width);
  for (std::int64_t k = 0; k < width; ++k) {
    values[k] = load(elements[row_offsets[0] + k]);
    rows[k] = 0;
  }
  for (std::int64_t r = 1; r < count; ++r) {
    const T* const row = elements + row_offsets[r];
    const auto number = static_cast<RowNumber<T>>(r);
    TENURE_CPU_INDEPENDENT
    for (std::int64_t k = 0; k < width; ++k) {
      const Compute<T> value = load(row[k]);
      const Compute<T> best = values[k];
      const RowNumber<T> best_row = rows[k];
      const bool is_better = Function::is_better(value, best);
      values[k] = is_better ? value : best;
      rows[k] = is_better ? number : best_row;
    }
  }
  Located<T>* const result = static_cast<Located<T>*>(accumulators);
  for (std::int64_t k = 0; k < width; ++k) result[k] = {values[k], static_cast<std::int64_t>(rows[k])};
}

template <class T>
void shift_kernel(void* accumulator, std::int64_t places) {
  static_cast<Located<T>*>(accumulator)->place += places;
}

template <class Function>
struct Places {
  template <std::size_t Dtype>
  struct Make {
    static constexpr ReduceKernels kernels() {
      if constexpr (!is_reduced<Function, Dtype>) {
        return {};
      } else {
        using T = Element<Dtype>;
        return {place_rows_kernel<Function, T>,
                place_columns_kernel<Function, T>,
                combine_kernel<Place<Function>, T>,
                finish_kernel<Place<Function>, T, std::int64_t>,
                nullptr,
                shift_kernel<T>,
                sizeof(Located<T>)};
      }
    }
  };
};

}  // namespace

constinit const PlaceTable TENURE_CPU_ISA::place_table{reduce_row<Places<ArgMax>::Make>(),
                                                       reduce_row<Places<ArgMin>::Make>()};

}  // namespace tenure::cpu
