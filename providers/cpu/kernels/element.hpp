// SPDX-License-Identifier: Apache-2.0
// element: the C++ type of each dtype and the type that it is computed in.
//
// Everything in the kernel headers has internal linkage: one source is compiled once for each ISA level,
// and the linker would merge a function that two levels shared, with the instructions of either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "half_float.hpp"
#include "tenure/abi/dtype.hpp"

// Promises that the iterations of the following loop do not depend on each other. Equal addresses at
// equal indices, as in-place operations have them, keep that promise.
#if defined(__clang__)
#define TENURE_CPU_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TENURE_CPU_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace tenure::cpu {
namespace {

struct Boolean {
  std::uint8_t value;
};

template <class Real>
struct Complex {
  Real re;
  Real im;
};

template <class... Types>
struct TypeList;

template <std::size_t Index, class First, class... Rest>
struct TypeAt : TypeAt<Index - 1, Rest...> {};
template <class First, class... Rest>
struct TypeAt<0, First, Rest...> {
  using type = First;
};

// The element type of a row of abi::dtype_table.
template <std::size_t Index>
using Element = typename TypeAt<Index, Boolean, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                                std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Half, Brain, float,
                                double, Complex<float>, Complex<double>>::type;

static_assert(abi::dtype_table.size() == 15);
static_assert(sizeof(Element<4>) == 8 && sizeof(Element<9>) == 2 && sizeof(Element<14>) == 16);

template <class T>
constexpr bool is_complex_element = false;
template <class Real>
constexpr bool is_complex_element<Complex<Real>> = true;
template <class T>
constexpr bool is_half_element = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;

// What an element is computed in: f32 for f16 and bf16, otherwise itself; 0 or 1 for bool.
TENURE_CPU_INLINE std::uint8_t load(Boolean element) noexcept { return element.value != 0; }
TENURE_CPU_INLINE float load(Half element) noexcept { return to_float(element); }
TENURE_CPU_INLINE float load(Brain element) noexcept { return to_float(element); }
template <class T>
TENURE_CPU_INLINE T load(T element) noexcept {
  return element;
}

template <class T>
using Compute = decltype(load(T{}));

// The element nearest to a computed value; rounds at most once.
template <class T>
TENURE_CPU_INLINE T store(Compute<T> value) noexcept {
  if constexpr (std::is_same_v<T, Boolean>) {
    return Boolean{value};
  } else if constexpr (std::is_same_v<T, Half>) {
    return to_half(value);
  } else if constexpr (std::is_same_v<T, Brain>) {
    return to_brain(value);
  } else {
    return value;
  }
}

}  // namespace
}  // namespace tenure::cpu
