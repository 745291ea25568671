// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "element.hpp"
#include "kernel_table.hpp"
#include "tenure/abi/operation_table.hpp"

namespace tenure::cpu {
namespace {

struct Sum {
  static constexpr std::uint32_t number = TENURE_REDUCE_SUM;
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (is_complex_element<T>) {
      return {a.re + b.re, a.im + b.im};
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    } else {
      return a + b;
    }
  }
};

struct Max {
  static constexpr std::uint32_t number = TENURE_REDUCE_MAX;
  template <class T>
  static T apply(T a, T b) noexcept {
    return (a > b || a != a) ? a : b;
  }
};

struct Min {
  static constexpr std::uint32_t number = TENURE_REDUCE_MIN;
  template <class T>
  static T apply(T a, T b) noexcept {
    return (a < b || a != a) ? a : b;
  }
};

// A block is accumulated in this many lanes: element r goes to lane r % lane_count. Then the lanes are
// combined by halves, where a lane without an element has no part. All of it follows from the count alone.
template <class T>
constexpr std::size_t lane_count = sizeof(Compute<T>) <= 4 ? 64 : 256 / sizeof(Compute<T>);

template <class Function, class T>
void combine_lanes(T* lanes, std::int64_t used, std::int64_t all) noexcept {
  for (std::int64_t distance = all / 2; distance > 0; distance /= 2) {
    for (std::int64_t lane = 0; lane < distance && lane + distance < used; ++lane) {
      lanes[lane] = Function::apply(lanes[lane], lanes[lane + distance]);
    }
  }
}

template <class Function, class T>
void row_kernel(const void* in, std::int64_t count, void* accumulator) {
  constexpr std::int64_t lane_total = lane_count<T>;
  const T* const elements = static_cast<const T*>(in);
  Compute<T> lanes[lane_count<T>];
  const std::int64_t used = count < lane_total ? count : lane_total;
  for (std::int64_t r = 0; r < used; ++r) lanes[r] = load(elements[r]);
  std::int64_t r = used;
  for (; r + lane_total <= count; r += lane_total) {
    for (std::int64_t lane = 0; lane < lane_total; ++lane) {
      lanes[lane] = Function::apply(lanes[lane], Compute<T>{load(elements[r + lane])});
    }
  }
  for (std::int64_t lane = 0; r + lane < count; ++lane) {
    lanes[lane] = Function::apply(lanes[lane], Compute<T>{load(elements[r + lane])});
  }
  combine_lanes<Function>(lanes, used, lane_total);
  *static_cast<Compute<T>*>(accumulator) = lanes[0];
}

template <class Function, class T>
void column_kernel(const void* in, const std::int64_t* row_offsets, std::int64_t count, std::int64_t width,
                   void* accumulators) {
  constexpr std::int64_t lane_total = lane_count<T>;
  const T* const elements = static_cast<const T*>(in);
  Compute<T> lanes[lane_count<T>][reduce_width_max];
  for (std::int64_t r = 0; r < count; ++r) {
    const T* const row = elements + row_offsets[r];
    Compute<T>* const lane = lanes[r % lane_total];
    if (r < lane_total) {
      for (std::int64_t k = 0; k < width; ++k) lane[k] = load(row[k]);
    } else {
      for (std::int64_t k = 0; k < width; ++k) lane[k] = Function::apply(lane[k], Compute<T>{load(row[k])});
    }
  }
  const std::int64_t used = count < lane_total ? count : lane_total;
  for (std::int64_t distance = lane_total / 2; distance > 0; distance /= 2) {
    for (std::int64_t lane = 0; lane < distance && lane + distance < used; ++lane) {
      Compute<T>* const left = lanes[lane];
      const Compute<T>* const right = lanes[lane + distance];
      for (std::int64_t k = 0; k < width; ++k) left[k] = Function::apply(left[k], right[k]);
    }
  }
  Compute<T>* const result = static_cast<Compute<T>*>(accumulators);
  for (std::int64_t k = 0; k < width; ++k) result[k] = lanes[0][k];
}

template <class Function, class T>
void combine_kernel(void* accumulators, std::int64_t count) {
  Compute<T>* const values = static_cast<Compute<T>*>(accumulators);
  for (std::int64_t distance = 1; distance < count; distance *= 2) {
    for (std::int64_t i = 0; i + distance < count; i += 2 * distance) {
      values[i] = Function::apply(values[i], values[i + distance]);
    }
  }
}

// Divides in f64, so that the divisor is exact.
template <class T>
T divide(T value, double divisor) noexcept {
  if constexpr (is_complex_element<T>) {
    return {divide(value.re, divisor), divide(value.im, divisor)};
  } else {
    return static_cast<T>(static_cast<double>(value) / divisor);
  }
}

template <class T>
void finish_kernel(const void* accumulators, std::int64_t count, std::int64_t divisor, void* out,
                   std::int64_t stride) {
  const Compute<T>* const values = static_cast<const Compute<T>*>(accumulators);
  T* const result = static_cast<T*>(out);
  if (divisor < 0) {
    for (std::int64_t k = 0; k < count; ++k) result[k * stride] = store<T>(values[k]);
  } else {
    for (std::int64_t k = 0; k < count; ++k) {
      result[k * stride] = store<T>(divide(values[k], static_cast<double>(divisor)));
    }
  }
}

template <class Function, std::size_t Dtype>
constexpr ReduceKernels reduce_kernels() {
  constexpr std::uint32_t classes = abi::find_reduction(Function::number)->operand_classes;
  if constexpr ((abi::class_of(abi::dtype_table[Dtype].dtype) & classes) == 0) {
    return {nullptr, nullptr, nullptr};
  } else {
    using T = Element<Dtype>;
    return {row_kernel<Function, T>, column_kernel<Function, T>, combine_kernel<Function, T>};
  }
}

template <class Function>
constexpr ReduceRow reduce_row() {
  return []<std::size_t... Dtype>(std::index_sequence<Dtype...>) {
    return ReduceRow{reduce_kernels<Function, Dtype>()...};
  }
  (std::make_index_sequence<dtype_count>{});
}

template <std::size_t Dtype>
constexpr FinishKernel finish_of() {
  if constexpr (abi::is_boolean(abi::dtype_table[Dtype].dtype)) {
    return nullptr;
  } else {
    return finish_kernel<Element<Dtype>>;
  }
}

constexpr std::array<FinishKernel, dtype_count> finish_row() {
  return []<std::size_t... Dtype>(std::index_sequence<Dtype...>) {
    return std::array<FinishKernel, dtype_count>{finish_of<Dtype>()...};
  }
  (std::make_index_sequence<dtype_count>{});
}

}  // namespace

constinit const ReduceTable TENURE_CPU_ISA::reduce_table{reduce_row<Sum>(), reduce_row<Max>(),
                                                         reduce_row<Min>(), finish_row()};

}  // namespace tenure::cpu
