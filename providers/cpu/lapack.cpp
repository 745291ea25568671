// SPDX-License-Identifier: Apache-2.0
#include "lapack.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include "blas.hpp"

// Fortran's: arguments by address, and after them the lengths of the texts.
#define TENURE_LAPACK_COMMON(P, T)                                                                        \
  void P##potrf_(const char*, const int*, T*, const int*, int*, std::size_t);                             \
  void P##getrf_(const int*, const int*, T*, const int*, int*, int*);                                     \
  void P##getrs_(const char*, const int*, const int*, const T*, const int*, const int*, T*, const int*,   \
                 int*, std::size_t);                                                                      \
  void P##geqrf_(const int*, const int*, T*, const int*, T*, T*, const int*, int*);                       \
  void P##trtrs_(const char*, const char*, const char*, const int*, const int*, const T*, const int*, T*, \
                 const int*, int*, std::size_t, std::size_t, std::size_t);
#define TENURE_LAPACK_REAL(P, T)                                                                             \
  TENURE_LAPACK_COMMON(P, T)                                                                                 \
  void P##orgqr_(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);        \
  void P##syevd_(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, int*, const int*, \
                 int*, std::size_t, std::size_t);                                                            \
  void P##gesdd_(const char*, const int*, const int*, T*, const int*, T*, T*, const int*, T*, const int*,    \
                 T*, const int*, int*, int*, std::size_t);
#define TENURE_LAPACK_COMPLEX(P, T, R)                                                                     \
  TENURE_LAPACK_COMMON(P, T)                                                                               \
  void P##ungqr_(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);      \
  void P##heevd_(const char*, const char*, const int*, T*, const int*, R*, T*, const int*, R*, const int*, \
                 int*, const int*, int*, std::size_t, std::size_t);                                        \
  void P##gesdd_(const char*, const int*, const int*, T*, const int*, R*, T*, const int*, T*, const int*,  \
                 T*, const int*, R*, int*, int*, std::size_t);
extern "C" {
TENURE_LAPACK_REAL(s, float)
TENURE_LAPACK_REAL(d, double)
TENURE_LAPACK_COMPLEX(c, std::complex<float>, float)
TENURE_LAPACK_COMPLEX(z, std::complex<double>, double)
}
#undef TENURE_LAPACK_COMPLEX
#undef TENURE_LAPACK_REAL
#undef TENURE_LAPACK_COMMON

namespace tenure::cpu {
namespace {

// One name for the four functions of a kind.
#define TENURE_LAPACK_OVERLOAD(name, P, function, T)         \
  template <class... Arguments>                              \
  void name(std::type_identity<T>, Arguments... arguments) { \
    P##function##_(arguments...);                            \
  }
#define TENURE_LAPACK_OVERLOADS(name, real_function, complex_function)   \
  TENURE_LAPACK_OVERLOAD(name, s, real_function, float)                  \
  TENURE_LAPACK_OVERLOAD(name, d, real_function, double)                 \
  TENURE_LAPACK_OVERLOAD(name, c, complex_function, std::complex<float>) \
  TENURE_LAPACK_OVERLOAD(name, z, complex_function, std::complex<double>)
TENURE_LAPACK_OVERLOADS(potrf, potrf, potrf)
TENURE_LAPACK_OVERLOADS(getrf, getrf, getrf)
TENURE_LAPACK_OVERLOADS(getrs, getrs, getrs)
TENURE_LAPACK_OVERLOADS(geqrf, geqrf, geqrf)
TENURE_LAPACK_OVERLOADS(trtrs, trtrs, trtrs)
TENURE_LAPACK_OVERLOADS(orgqr, orgqr, ungqr)
TENURE_LAPACK_OVERLOADS(syevd, syevd, heevd)
TENURE_LAPACK_OVERLOADS(gesdd, gesdd, gesdd)
#undef TENURE_LAPACK_OVERLOADS
#undef TENURE_LAPACK_OVERLOAD

template <class T>
inline constexpr bool is_complex = !std::is_floating_point_v<T>;

// The distance of columns, which LAPACK wants to be at least 1.
int leading(int rows) noexcept { return std::max(rows, 1); }

// What a query answered: a number of elements as a floating one, rounded to nearest.
template <class T>
int answered_size(T answer) noexcept {
  using Real = decltype(std::abs(T()));
  return static_cast<int>(std::nextafter(std::real(answer), std::numeric_limits<Real>::max()));
}

// Calls call(work, its size) with as much as that asks for.
template <class T, class Call>
void with_workspace(const Call& call) {
  T answer{};
  call(&answer, -1);
  ScratchVector<T> work(static_cast<std::size_t>(std::max(answered_size(answer), 1)));
  call(work.data(), static_cast<int>(work.size()));
}

}  // namespace

template <class T>
int Lapack<T>::cholesky(int n, T* a) {
  const BlasTurn turn;
  const int lda = leading(n);
  int info = 0;
  potrf(std::type_identity<T>(), "L", &n, a, &lda, &info, std::size_t{1});
  return info;
}

template <class T>
int Lapack<T>::lu(int m, int n, T* a, int* pivots) {
  const BlasTurn turn;
  const int lda = leading(m);
  int info = 0;
  getrf(std::type_identity<T>(), &m, &n, a, &lda, pivots, &info);
  return info;
}

template <class T>
int Lapack<T>::lu_solve(int n, int columns, const T* a, const int* pivots, T* b) {
  const BlasTurn turn;
  const int lda = leading(n);
  int info = 0;
  getrs(std::type_identity<T>(), "N", &n, &columns, a, &lda, pivots, b, &lda, &info, std::size_t{1});
  return info;
}

template <class T>
int Lapack<T>::qr(int m, int n, T* a, T* tau) {
  const BlasTurn turn;
  const int lda = leading(m);
  int info = 0;
  with_workspace<T>(
      [&](T* work, int size) { geqrf(std::type_identity<T>(), &m, &n, a, &lda, tau, work, &size, &info); });
  return info;
}

template <class T>
int Lapack<T>::orthogonal(int m, int k, T* a, const T* tau) {
  const BlasTurn turn;
  const int lda = leading(m);
  int info = 0;
  with_workspace<T>([&](T* work, int size) {
    orgqr(std::type_identity<T>(), &m, &k, &k, a, &lda, tau, work, &size, &info);
  });
  return info;
}

template <class T>
int Lapack<T>::triangular_solve(bool is_upper, bool has_unit_diagonal, int n, int columns, const T* a, T* b) {
  const BlasTurn turn;
  const int lda = leading(n);
  int info = 0;
  trtrs(std::type_identity<T>(), is_upper ? "U" : "L", "N", has_unit_diagonal ? "U" : "N", &n, &columns, a,
        &lda, b, &lda, &info, std::size_t{1}, std::size_t{1}, std::size_t{1});
  return info;
}

template <class T>
int Lapack<T>::eigen(int n, T* a, Real* values) {
  const BlasTurn turn;
  const int lda = leading(n);
  int info = 0;
  ScratchVector<Real> real_work(1);
  std::vector<int> integer_work(1);
  // Of all workspaces the sizes are asked for at once.
  const auto call = [&](T* work, int size, int real_size, int integer_size) {
    if constexpr (is_complex<T>) {
      syevd(std::type_identity<T>(), "V", "L", &n, a, &lda, values, work, &size, real_work.data(), &real_size,
            integer_work.data(), &integer_size, &info, std::size_t{1}, std::size_t{1});
    } else {
      syevd(std::type_identity<T>(), "V", "L", &n, a, &lda, values, work, &size, integer_work.data(),
            &integer_size, &info, std::size_t{1}, std::size_t{1});
    }
  };
  T answer{};
  call(&answer, -1, -1, -1);
  ScratchVector<T> work(static_cast<std::size_t>(std::max(answered_size(answer), 1)));
  real_work.resize(static_cast<std::size_t>(std::max(answered_size(real_work[0]), 1)));
  integer_work.resize(static_cast<std::size_t>(std::max(integer_work[0], 1)));
  call(work.data(), static_cast<int>(work.size()), static_cast<int>(real_work.size()),
       static_cast<int>(integer_work.size()));
  return info;
}

template <class T>
int Lapack<T>::svd(int m, int n, T* a, T* u, Real* s, T* vh) {
  const BlasTurn turn;
  const int k = std::min(m, n);
  const int lda = leading(m);
  const int ldv = leading(k);
  int info = 0;
  std::vector<int> integer_work(8 * static_cast<std::size_t>(k));
  // The documented size, which has no query.
  const std::size_t least = static_cast<std::size_t>(k);
  const std::size_t most = static_cast<std::size_t>(std::max(m, n));
  ScratchVector<Real> real_work(
      is_complex<T> ? std::max(5 * least * least + 5 * least, 2 * most * least + 2 * least * least + least)
                    : 1);
  with_workspace<T>([&](T* work, int size) {
    if constexpr (is_complex<T>) {
      gesdd(std::type_identity<T>(), "S", &m, &n, a, &lda, s, u, &lda, vh, &ldv, work, &size,
            real_work.data(), integer_work.data(), &info, std::size_t{1});
    } else {
      gesdd(std::type_identity<T>(), "S", &m, &n, a, &lda, s, u, &lda, vh, &ldv, work, &size,
            integer_work.data(), &info, std::size_t{1});
    }
  });
  return info;
}

template struct Lapack<float>;
template struct Lapack<double>;
template struct Lapack<std::complex<float>>;
template struct Lapack<std::complex<double>>;

}  // namespace tenure::cpu
