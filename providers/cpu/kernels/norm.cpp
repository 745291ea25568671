// SPDX-License-Identifier: Apache-2.0
#include "real_format.hpp"
#include "reduce_block.hpp"

namespace tenure::cpu {
namespace {

template <class T>
struct RealOf {
  using type = T;
};
template <class Real>
struct RealOf<Complex<Real>> {
  using type = Real;
};

TENURE_CPU_INLINE double squared(double x) noexcept { return x * x; }
TENURE_CPU_INLINE double squared(float x) noexcept { return squared(static_cast<double>(x)); }
template <class Real>
TENURE_CPU_INLINE double squared(Complex<Real> x) noexcept {
  return squared(x.re) + squared(x.im);
}

// Squares of f32 and shorter numbers, which f64 holds without rounding and without leaving its range.
struct Norm {
  static constexpr std::uint32_t number = TENURE_REDUCE_NORM2;
  template <class T>
  using Accumulator = double;
  template <class T>
  TENURE_CPU_INLINE static double lift(Compute<T> value) noexcept {
    return squared(value);
  }
  TENURE_CPU_INLINE static double apply(double a, double b) noexcept { return a + b; }
  template <class T>
  static double identity() noexcept {
    return 0;
  }
  // The root is rounded to f32 so that rounding it once more to a half float rounds the root itself.
  template <class T>
  static typename RealOf<T>::type finish(double sum) noexcept {
    const double root = __builtin_sqrt(sum);
    if constexpr (is_half_element<T>) {
      return store<T>(round_to_odd(root));
    } else {
      return static_cast<typename RealOf<T>::type>(root);
    }
  }
};

// 4^exponent * sum. Plain sums have the exponent 0, sums of zeros the lowest, infinity and NaN the highest,
// so that what is combined with them is nothing.
struct ScaledSum {
  double sum;
  std::int64_t exponent;
};

constexpr std::int64_t zero_exponent = -4096;
constexpr std::int64_t infinity_exponent = 2046;

// 2^exponent, 0 where that is no normal number any more.
TENURE_CPU_INLINE double power_of_two(std::int64_t exponent) noexcept {
  if (exponent < -1022) return 0;
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// The squares of f64 numbers. Where their plain sum came near an end of the range, the block is summed again,
// with its largest number brought near 1.
struct WideNorm {
  template <class T>
  using Accumulator = ScaledSum;
  static ScaledSum apply(ScaledSum a, ScaledSum b) noexcept {
    const std::int64_t exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
    return {
        a.sum * power_of_two(2 * (a.exponent - exponent)) + b.sum * power_of_two(2 * (b.exponent - exponent)),
        exponent};
  }
  template <class T>
  static ScaledSum identity() noexcept {
    return {0, zero_exponent};
  }
  template <class T>
  static double finish(ScaledSum scaled) noexcept {
    const double root = __builtin_sqrt(scaled.sum);
    if (scaled.exponent == 0 || root == 0) return root;
    const std::int64_t half = scaled.exponent / 2;
    return root * power_of_two(half) * power_of_two(scaled.exponent - half);
  }
};

// The bits of the larger magnitude, whose order as integers is that of the numbers, NaN above all.
TENURE_CPU_INLINE std::int64_t largest_bits(double x) noexcept {
  return std::bit_cast<std::int64_t>(absolute(x));
}
TENURE_CPU_INLINE std::int64_t largest_bits(Complex<double> x) noexcept {
  const std::int64_t re = largest_bits(x.re);
  const std::int64_t im = largest_bits(x.im);
  return re > im ? re : im;
}

TENURE_CPU_INLINE double scaled(double x, double half) noexcept { return x * half * half; }
TENURE_CPU_INLINE Complex<double> scaled(Complex<double> x, double half) noexcept {
  return {scaled(x.re, half), scaled(x.im, half)};
}

// `element(r)` for r < count, whose plain sum of squares is `plain`.
template <class Element>
ScaledSum scaled_sum(double plain, std::int64_t count, Element element) noexcept {
  constexpr double lowest = 0x1p-900;  // what the squares below the range may add up to, is nothing to this
  if (plain >= lowest && plain < __builtin_inf()) return {plain, 0};
  std::int64_t bits = 0;
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t other = largest_bits(element(r));
    bits = bits > other ? bits : other;
  }
  const double largest = std::bit_cast<double>(bits);
  if (largest == 0) return {0, zero_exponent};
  if (!(largest < __builtin_inf())) return {largest, infinity_exponent};
  // An even exponent has a half; of the smallest numbers the lowest bits are beyond it.
  const std::int64_t exponent = ((bits >> 52) - 1023) & ~std::int64_t{1};
  double sum = 0;
  for (std::int64_t r = 0; r < count; ++r) sum += squared(scaled(element(r), power_of_two(-exponent / 2)));
  return {sum, exponent};
}

template <class T>
void wide_rows_kernel(const void* in, std::int64_t step, std::int64_t lines, std::int64_t count,
                      void* accumulators) {
  ScaledSum* const result = static_cast<ScaledSum*>(accumulators);
  for (std::int64_t k = 0; k < lines; ++k) {
    const T* const line = static_cast<const T*>(in) + k * step;
    result[k] = scaled_sum(combine_row<Norm>(line, count), count, [line](std::int64_t r) { return line[r]; });
  }
}

template <class T>
void wide_columns_kernel(const void* in, const std::int64_t* row_offsets, std::int64_t count,
                         std::int64_t width, void* scratch, void* accumulators) {
  const T* const elements = static_cast<const T*>(in);
  double* const plain = static_cast<double*>(scratch);
  combine_columns<Norm>(elements, row_offsets, count, width, plain);
  for (std::int64_t k = 0; k < width; ++k) {
    static_cast<ScaledSum*>(accumulators)[k] = scaled_sum(
        plain[k], count, [elements, row_offsets, k](std::int64_t r) { return elements[row_offsets[r] + k]; });
  }
}

template <std::size_t Dtype>
struct MakeNorm {
  static constexpr ReduceKernels kernels() {
    if constexpr (!is_reduced<Norm, Dtype>) {
      return {};
    } else {
      using T = Element<Dtype>;
      using Real = typename RealOf<T>::type;
      if constexpr (std::is_same_v<Real, double>) {
        return {wide_rows_kernel<T>,
                wide_columns_kernel<T>,
                combine_kernel<WideNorm, T>,
                finish_kernel<WideNorm, T, Real>,
                identity_kernel<WideNorm, T>,
                nullptr,
                sizeof(ScaledSum)};
      } else {
        return {rows_kernel<Norm, T>,
                columns_kernel<Norm, T>,
                combine_kernel<Norm, T>,
                finish_kernel<Norm, T, Real>,
                identity_kernel<Norm, T>,
                nullptr,
                sizeof(double)};
      }
    }
  }
};

}  // namespace

constinit const NormTable TENURE_CPU_ISA::norm_table{reduce_row<MakeNorm>()};

}  // namespace tenure::cpu
