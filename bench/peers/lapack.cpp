// SPDX-License-Identifier: Apache-2.0
// lapack: the distribution's threaded OpenBLAS, its LAPACK called directly.
#include <cblas.h>

#include <algorithm>

#include "../peer.hpp"

// Fortran passes everything by address, and after the arguments the length of each text.
#define TENURE_DECLARE_LAPACK(letter, T)                                                                   \
  void letter##potrf_(const char*, const int*, T*, const int*, int*, std::size_t);                         \
  void letter##getrf_(const int*, const int*, T*, const int*, int*, int*);                                 \
  void letter##gesv_(const int*, const int*, T*, const int*, int*, T*, const int*, int*);                  \
  void letter##geqrf_(const int*, const int*, T*, const int*, T*, T*, const int*, int*);                   \
  void letter##orgqr_(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*); \
  void letter##trtrs_(const char*, const char*, const char*, const int*, const int*, const T*, const int*, \
                      T*, const int*, int*, std::size_t, std::size_t, std::size_t);                        \
  void letter##syevd_(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, int*,      \
                      const int*, int*, std::size_t, std::size_t);                                         \
  void letter##gesdd_(const char*, const int*, const int*, T*, const int*, T*, T*, const int*, T*,         \
                      const int*, T*, const int*, int*, int*, std::size_t);
extern "C" {
TENURE_DECLARE_LAPACK(s, float)
TENURE_DECLARE_LAPACK(d, double)
}

namespace tenure::bench {

namespace {

template <class T>
struct Routines;
#define TENURE_LAPACK_ROUTINES(letter, T)          \
  template <>                                      \
  struct Routines<T> {                             \
    static constexpr auto potrf = &letter##potrf_; \
    static constexpr auto getrf = &letter##getrf_; \
    static constexpr auto gesv = &letter##gesv_;   \
    static constexpr auto geqrf = &letter##geqrf_; \
    static constexpr auto orgqr = &letter##orgqr_; \
    static constexpr auto trtrs = &letter##trtrs_; \
    static constexpr auto syevd = &letter##syevd_; \
    static constexpr auto gesdd = &letter##gesdd_; \
  };
TENURE_LAPACK_ROUTINES(s, float)
TENURE_LAPACK_ROUTINES(d, double)

// One job with the memory that its routine asks for.
template <class T>
struct Call {
  using Lapack = Routines<T>;

  explicit Call(const LinalgJob& job)
      : n(static_cast<int>(job.a.extents[0])),
        count(static_cast<std::size_t>(job.a.count())),
        a(static_cast<const T*>(job.a.data)),
        b(static_cast<const T*>(job.b.data)),
        right_sides(b == nullptr ? 0 : static_cast<int>(job.b.extents[1])),
        matrix(count),
        tau(static_cast<std::size_t>(n)),
        pivots(static_cast<std::size_t>(n) * 8) {
    for (const Array& output : job.outputs) out.push_back(static_cast<T*>(output.data));
  }

  // Calls routine(work, length) for the length that it wants, and keeps that much.
  template <class Routine>
  void make_room(Routine routine) {
    T wanted = 0;
    const int ask = -1;
    routine(&wanted, &ask);
    length = std::max(length, static_cast<int>(wanted));
    work.resize(static_cast<std::size_t>(length));
  }

  void cholesky() {
    std::copy_n(a, count, out[0]);
    Lapack::potrf("L", &n, out[0], &n, &info, 1);
    for (int column = 1; column < n; ++column) {
      std::fill_n(out[0] + std::ptrdiff_t{column} * n, column, T{0});
    }
  }
  void lu() {
    std::copy_n(a, count, out[0]);
    Lapack::getrf(&n, &n, out[0], &n, pivots.data(), &info);
  }
  void geqrf(T* room, const int* room_length) {
    Lapack::geqrf(&n, &n, out[0], &n, tau.data(), room, room_length, &info);
  }
  void orgqr(T* room, const int* room_length) {
    Lapack::orgqr(&n, &n, &n, out[0], &n, tau.data(), room, room_length, &info);
  }
  void qr() {
    std::copy_n(a, count, out[0]);
    geqrf(work.data(), &length);
    for (int column = 0; column < n; ++column) {
      const std::ptrdiff_t first = std::ptrdiff_t{column} * n;
      std::copy_n(out[0] + first, column + 1, out[1] + first);
      std::fill_n(out[1] + first + column + 1, n - column - 1, T{0});
    }
    orgqr(work.data(), &length);
  }
  void solve() {
    std::copy_n(a, count, matrix.data());
    std::copy_n(b, static_cast<std::ptrdiff_t>(n) * right_sides, out[0]);
    Lapack::gesv(&n, &right_sides, matrix.data(), &n, pivots.data(), out[0], &n, &info);
  }
  void triangular_solve() {
    std::copy_n(b, static_cast<std::ptrdiff_t>(n) * right_sides, out[0]);
    Lapack::trtrs("L", "N", "N", &n, &right_sides, a, &n, out[0], &n, &info, 1, 1, 1);
  }
  void syevd(T* room, const int* room_length) {
    const int integers = 3 + 5 * n;
    Lapack::syevd("V", "L", &n, out[1], &n, out[0], room, room_length, pivots.data(), &integers, &info, 1, 1);
  }
  void eigh() {
    std::copy_n(a, count, out[1]);
    syevd(work.data(), &length);
  }
  void gesdd(T* room, const int* room_length) {
    Lapack::gesdd("S", &n, &n, matrix.data(), &n, out[1], out[0], &n, out[2], &n, room, room_length,
                  pivots.data(), &info, 1);
  }
  void svd() {
    std::copy_n(a, count, matrix.data());
    gesdd(work.data(), &length);
  }

  int n;
  std::size_t count;
  const T* a;
  const T* b;
  int right_sides;
  std::vector<T> matrix;
  std::vector<T> tau;
  std::vector<int> pivots;  // or the integers that a routine needs: 3 + 5 n, 8 n
  std::vector<T> work{};
  int length = 0;
  int info = 0;  // the matrices have all factors, and wrong results are found by comparison
  std::vector<T*> out{};
};

template <class T>
Work linalg_of(const LinalgJob& job) {
  const auto call = std::make_shared<Call<T>>(job);
  switch (job.operation) {
    case LinalgOperation::cholesky:
      return repeat([call] { call->cholesky(); });
    case LinalgOperation::lu:
      return repeat([call] { call->lu(); });
    case LinalgOperation::qr:
      call->make_room([&](T* room, const int* length) { call->geqrf(room, length); });
      call->make_room([&](T* room, const int* length) { call->orgqr(room, length); });
      return repeat([call] { call->qr(); });
    case LinalgOperation::solve:
      return repeat([call] { call->solve(); });
    case LinalgOperation::triangular_solve:
      return repeat([call] { call->triangular_solve(); });
    case LinalgOperation::eigh:
      // syevd says how much it wants only when it is asked for its integers too; this is what it documents.
      call->work.resize(static_cast<std::size_t>(1 + 6 * call->n + 2 * call->n * call->n));
      call->length = static_cast<int>(call->work.size());
      return repeat([call] { call->eigh(); });
    case LinalgOperation::svd:
      call->make_room([&](T* room, const int* length) { call->gesdd(room, length); });
      return repeat([call] { call->svd(); });
  }
  return {};
}

class LapackPeer final : public Peer {
 public:
  std::string name() const override { return "lapack"; }
  std::string description() const override {
    return std::string("of ") + openblas_get_config() + ", core " + openblas_get_corename();
  }
  void set_threads(unsigned threads) override { openblas_set_num_threads(static_cast<int>(threads)); }

  Work linalg(const LinalgJob& job) const override {
    if (job.is_allocating) return {};
    return job.a.element == Element::f32 ? linalg_of<float>(job) : linalg_of<double>(job);
  }
};

}  // namespace

std::unique_ptr<Peer> make_lapack_peer() { return std::make_unique<LapackPeer>(); }

}  // namespace tenure::bench
