// SPDX-License-Identifier: Apache-2.0
#include "reduce_block.hpp"

namespace tenure::cpu {
namespace {

// Divides in f64, so that the divisor is exact.
template <class T>
T divide(T value, double divisor) noexcept {
  if constexpr (is_complex_element<T>) {
    return {divide(value.re, divisor), divide(value.im, divisor)};
  } else {
    return static_cast<T>(static_cast<double>(value) / divisor);
  }
}

struct Sum : PlainReduction {
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
  template <class T>
  static Compute<T> identity() noexcept {
    return {};
  }
};

// A product that is rounded before it is added. GCC 12 makes a fused instruction of a difference beside a
// sum, against its option, and only where it finds a vector's length of them.
template <class Real>
TENURE_CPU_INLINE Real rounded_product(Real a, Real b) noexcept {
#if __has_builtin(__builtin_assoc_barrier)
  return __builtin_assoc_barrier(a * b);
#else
  return a * b;
#endif
}

struct Prod : PlainReduction {
  static constexpr std::uint32_t number = TENURE_REDUCE_PROD;
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (is_complex_element<T>) {
      return {rounded_product(a.re, b.re) - rounded_product(a.im, b.im),
              rounded_product(a.re, b.im) + rounded_product(a.im, b.re)};
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    } else {
      return a * b;
    }
  }
  template <class T>
  static Compute<T> identity() noexcept {
    if constexpr (is_complex_element<T>) {
      return {1, 0};
    } else {
      return {1};
    }
  }
};

// Extrema of nothing are refused before a kernel is called.
struct Max : PlainReduction {
  static constexpr std::uint32_t number = TENURE_REDUCE_MAX;
  template <class T>
  static T apply(T a, T b) noexcept {
    const T extremum = a > b ? a : b;
    return a != a ? a : extremum;
  }
  template <class T>
  static Compute<T> identity() noexcept {
    return {};
  }
};

struct Min : PlainReduction {
  static constexpr std::uint32_t number = TENURE_REDUCE_MIN;
  template <class T>
  static T apply(T a, T b) noexcept {
    const T extremum = a < b ? a : b;
    return a != a ? a : extremum;
  }
  template <class T>
  static Compute<T> identity() noexcept {
    return {};
  }
};

struct All : PlainReduction {
  static constexpr std::uint32_t number = TENURE_REDUCE_ALL;
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) noexcept { return a & b; }
  template <class T>
  static std::uint8_t identity() noexcept {
    return 1;
  }
};

struct Any : PlainReduction {
  static constexpr std::uint32_t number = TENURE_REDUCE_ANY;
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) noexcept { return a | b; }
  template <class T>
  static std::uint8_t identity() noexcept {
    return 0;
  }
};

template <class T>
void finish_mean_kernel(const void* accumulators, std::int64_t count, std::int64_t elements, void* out,
                        std::int64_t stride) {
  const Compute<T>* const sums = static_cast<const Compute<T>*>(accumulators);
  T* const result = static_cast<T*>(out);
  for (std::int64_t k = 0; k < count; ++k) {
    result[k * stride] = store<T>(divide(sums[k], static_cast<double>(elements)));
  }
}

template <class Function>
struct Plain {
  template <std::size_t Dtype>
  struct Make {
    static constexpr ReduceKernels kernels() {
      if constexpr (!is_reduced<Function, Dtype>) {
        return {};
      } else {
        using T = Element<Dtype>;
        return {rows_kernel<Function, T>,
                columns_kernel<Function, T>,
                combine_kernel<Function, T>,
                finish_kernel<Function, T, T>,
                identity_kernel<Function, T>,
                nullptr,
                sizeof(Compute<T>)};
      }
    }
  };
};

// A sum that is divided at the end.
struct Mean : Sum {
  static constexpr std::uint32_t number = TENURE_REDUCE_MEAN;
};

template <std::size_t Dtype>
struct MakeMean {
  static constexpr ReduceKernels kernels() {
    if constexpr (!is_reduced<Mean, Dtype>) {
      return {};
    } else {
      ReduceKernels kernels = Plain<Sum>::Make<Dtype>::kernels();
      kernels.finish = finish_mean_kernel<Element<Dtype>>;
      return kernels;
    }
  }
};

}  // namespace

constinit const ReduceTable TENURE_CPU_ISA::reduce_table{
    reduce_row<Plain<Sum>::Make>(), reduce_row<MakeMean>(),          reduce_row<Plain<Max>::Make>(),
    reduce_row<Plain<Min>::Make>(), reduce_row<Plain<Prod>::Make>(), reduce_row<Plain<All>::Make>(),
    reduce_row<Plain<Any>::Make>(),
};

}  // namespace tenure::cpu
