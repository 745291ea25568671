// SPDX-License-Identifier: Apache-2.0
#include "node_row.hpp"

namespace tenure::cpu {
namespace {

struct Sign {
  static constexpr std::uint32_t number = TENURE_FN_SIGN;
  template <class T>
  static T apply(T a) noexcept {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>((a > 0) - (a < 0));
    } else {
      return a > 0 ? T{1} : a < 0 ? T{-1} : a;
    }
  }
};

struct Floor {
  static constexpr std::uint32_t number = TENURE_FN_FLOOR;
  static float apply(float a) noexcept { return __builtin_floorf(a); }
  static double apply(double a) noexcept { return __builtin_floor(a); }
  template <class T>
  requires std::is_integral_v<T>
  static T apply(T a) noexcept { return a; }
};

struct Ceil {
  static constexpr std::uint32_t number = TENURE_FN_CEIL;
  static float apply(float a) noexcept { return __builtin_ceilf(a); }
  static double apply(double a) noexcept { return __builtin_ceil(a); }
  template <class T>
  requires std::is_integral_v<T>
  static T apply(T a) noexcept { return a; }
};

struct Round {
  static constexpr std::uint32_t number = TENURE_FN_ROUND;
  static float apply(float a) noexcept { return __builtin_rintf(a); }
  static double apply(double a) noexcept { return __builtin_rint(a); }
  template <class T>
  requires std::is_integral_v<T>
  static T apply(T a) noexcept { return a; }
};

struct Remainder {
  static constexpr std::uint32_t number = TENURE_FN_REMAINDER;
  static float apply(float a, float b) noexcept { return __builtin_fmodf(a, b); }
  static double apply(double a, double b) noexcept { return __builtin_fmod(a, b); }
  // The engine has made sure that no integer divisor is 0.
  template <class T>
  requires std::is_integral_v<T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_signed_v<T>) {
      return b == -1 ? T{0} : static_cast<T>(a % b);
    } else {
      return static_cast<T>(a % b);
    }
  }
};

}  // namespace

constinit const RoundingTable TENURE_CPU_ISA::rounding_table{
    node_row<Sign>(), node_row<Floor>(), node_row<Ceil>(), node_row<Round>(), node_row<Remainder>()};

}  // namespace tenure::cpu
