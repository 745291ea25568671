// SPDX-License-Identifier: Apache-2.0
#include "complex_function.hpp"
#include "exp_function.hpp"
#include "log_function.hpp"
#include "node_row.hpp"

namespace tenure::cpu {
namespace {

struct Log {
  static constexpr std::uint32_t number = TENURE_FN_LOG;
  TENURE_CPU_INLINE static float apply(float a) noexcept { return log_of(a); }
  TENURE_CPU_INLINE static double apply(double a) noexcept { return log_of(a); }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return logarithm(a);
  }
};

// log(1 + x) = log(u) + c / u with u = 1 + x rounded and c what that lost.
struct Log1p {
  static constexpr std::uint32_t number = TENURE_FN_LOG1P;
  TENURE_CPU_INLINE static float apply(float a) noexcept {
    return static_cast<float>(apply(static_cast<double>(a)));
  }
  TENURE_CPU_INLINE static double apply(double a) noexcept {
    const double u = 1.0 + a;
    const double c = a < 1.0 ? a - (u - 1.0) : 1.0 - (u - a);
    const LogParts<double> parts = log_parts(u);
    const double scaled = a < 0x1p54 ? c * std::bit_cast<double>((1023 - parts.k) << 52) : 0.0;
    const double finite = log_sum(parts.k_number, parts.f, scaled / (1.0 + parts.f));
    const double infinity = __builtin_inf();
    const double defined = a == -1.0 ? -infinity : a < infinity ? finite : a;
    const double large = a < -1.0 ? __builtin_nan("") : defined;
    return absolute(a) < 0x1p-54 ? a : large;
  }
};

}  // namespace

constinit const LogarithmTable TENURE_CPU_ISA::logarithm_table{node_row<Log>(), node_row<Log1p>()};

}  // namespace tenure::cpu
