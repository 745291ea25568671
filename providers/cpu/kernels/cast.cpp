// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "node_row.hpp"

namespace tenure::cpu {
namespace {

// Towards zero; what does not fit becomes the nearest end of the range, NaN becomes 0.
template <class Integer, class Real>
Integer real_to_integer(Real value) noexcept {
  // Both limits are powers of two or 0 and therefore exact; `above` is the first number that is too big.
  constexpr Real above = static_cast<Real>(std::numeric_limits<Integer>::max() / 2 + 1) * Real{2};
  constexpr Real lowest = static_cast<Real>(std::numeric_limits<Integer>::min());
  const bool is_above = value >= above;
  const bool is_inside = value > lowest && value < above;
  const Integer inside = static_cast<Integer>(is_inside ? value : Real{0});
  const Integer outside = value <= lowest ? std::numeric_limits<Integer>::min() : inside;
  return is_above ? std::numeric_limits<Integer>::max() : outside;
}

// An f64 that rounds to a shorter format as the integer itself would: exact up to 53 bits, beyond that with
// the lost bits collected in the last one.
template <class Integer>
double to_double_odd(Integer value) noexcept {
  if constexpr (sizeof(Integer) < 8) {
    return static_cast<double>(value);
  } else {
    constexpr Integer low = 0x7ff;
    constexpr Integer limit = Integer{1} << 53;
    const Integer sticky = (value & low) != 0 ? low + 1 : 0;
    const Integer odd = (value & static_cast<Integer>(~low)) | sticky;
    bool is_exact = value < limit;
    if constexpr (std::is_signed_v<Integer>) is_exact = is_exact && value > -limit;
    return static_cast<double>(is_exact ? value : odd);
  }
}

template <class Target, class Source>
Target convert_real(Source value) noexcept {
  if constexpr (std::is_same_v<Target, Source>) {
    return value;
  } else if constexpr (std::is_same_v<Target, Boolean>) {
    return Boolean{static_cast<std::uint8_t>(value != 0)};
  } else if constexpr (is_half_element<Target>) {
    if constexpr (std::is_same_v<Source, float>) {
      return store<Target>(value);
    } else if constexpr (std::is_same_v<Source, double>) {
      return store<Target>(round_to_odd(value));
    } else {
      return store<Target>(round_to_odd(to_double_odd(value)));
    }
  } else if constexpr (std::is_integral_v<Target> && std::is_floating_point_v<Source>) {
    return real_to_integer<Target>(value);
  } else {
    return static_cast<Target>(value);
  }
}

template <class Target, class Source>
Target convert(Source value) noexcept {
  if constexpr (is_complex_element<Target>) {
    using Real = decltype(Target::re);
    if constexpr (is_complex_element<Source>) {
      return {static_cast<Real>(value.re), static_cast<Real>(value.im)};
    } else {
      return {static_cast<Real>(value), Real{0}};
    }
  } else if constexpr (is_complex_element<Source>) {
    if constexpr (std::is_same_v<Target, Boolean>) {
      return Boolean{static_cast<std::uint8_t>((value.re != 0) | (value.im != 0))};
    } else {
      return convert_real<Target>(value.re);
    }
  } else {
    return convert_real<Target>(value);
  }
}

template <class Source, class Target>
void cast_kernel(const void* const* arguments, unsigned, void* out, std::int64_t count) {
  const Source* const in = static_cast<const Source*>(arguments[0]);
  Target* const result = static_cast<Target*>(out);
  TENURE_CPU_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) result[i] = convert<Target>(load(in[i]));
}

template <std::size_t Source>
constexpr NodeRow cast_row() {
  return []<std::size_t... Target>(std::index_sequence<Target...>) {
    return NodeRow{cast_kernel<Element<Source>, Element<Target>>...};
  }
  (std::make_index_sequence<dtype_count>{});
}

constexpr CastTable make_cast_table() {
  return []<std::size_t... Source>(std::index_sequence<Source...>) {
    return CastTable{{cast_row<Source>()...}};
  }
  (std::make_index_sequence<dtype_count>{});
}

}  // namespace

constinit const CastTable TENURE_CPU_ISA::cast_table = make_cast_table();

}  // namespace tenure::cpu
