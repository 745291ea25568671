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

// log(1 + x) = log(u) + c / u with u = 1 + x rounded and c what that lost, which is so little that a rough
// quotient will do. Below 2^mantissa_bits u - 1 is exact, and beyond c is lost in the result.
template <class Real>
TENURE_CPU_INLINE Real log1p_of(Real a) noexcept {
  using Format = RealFormat<Real>;
  constexpr Real no_loss = sizeof(Real) == 4 ? Real{0x1p25f} : static_cast<Real>(0x1p54);
  const Real u = Real{1} + a;
  const LogParts<Real> parts = log_parts(u);
  const Real power = std::bit_cast<Real>((Format::exponent_bias - parts.k) << Format::mantissa_bits);  // 2^-k
  const Real lost = a < no_loss ? (a - (u - Real{1})) * power : Real{0};
  const Real finite = log_sum(parts.k_number, parts.f, rough_quotient(lost, parts.f));
  const Real infinity = __builtin_inff();
  const Real defined = a == Real{-1} ? -infinity : a < infinity ? finite : a;
  // The zeros lose their signs on the way.
  return a < Real{-1} ? static_cast<Real>(__builtin_nanf("")) : with_sign_of(a, defined);
}

struct Log1p {
  static constexpr std::uint32_t number = TENURE_FN_LOG1P;
  // Products that are rounded on their own would cost f32 a little more than a unit in the last place.
  TENURE_CPU_INLINE static float apply(float a) noexcept {
    return has_fused_multiply_add ? log1p_of(a) : static_cast<float>(log1p_of(static_cast<double>(a)));
  }
  TENURE_CPU_INLINE static double apply(double a) noexcept { return log1p_of(a); }
};

}  // namespace

constinit const LogarithmTable TENURE_CPU_ISA::logarithm_table{node_row<Log>(), node_row<Log1p>()};

}  // namespace tenure::cpu
