// SPDX-License-Identifier: Apache-2.0
// linear_algebra: decompositions of matrices and what they solve, as an engine offers them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "tenure/execution/result_type.hpp"
#include "tenure/execution/tensor_read.hpp"
#include "tenure/execution/tensor_write.hpp"
#include "tenure/provider_engine.h"

namespace tenure::inline TENURE_BUILD {

// U in the upper triangle of `factors`; below it L, whose diagonal of ones is not stored. Row i of L U is row
// rows[i] of the matrix: gather(a, rows, 0) is L U where rows has a second axis of extent 1.
template <class Matrix, class Indices>
struct LuFactors {
  Matrix factors;
  Indices rows;
};
// a = q r, q with orthonormal columns, as many as the smaller extent of a.
template <class Matrix>
struct QrFactors {
  Matrix q;
  Matrix r;
};
// a v = v diag(values), ascending; the eigenvectors are the columns.
template <class Matrix, class Values>
struct EigenPairs {
  Values values;
  Matrix vectors;
};
// a = u diag(s) vh, s descending, as many as the smaller extent of a.
template <class Matrix, class Values>
struct SingularVectors {
  Matrix u;
  Values s;
  Matrix vh;
};

struct TriangularOptions {
  bool is_upper = false;           // otherwise the lower triangle is read
  bool has_unit_diagonal = false;  // of ones, which is not read
};

// Part of Engine. Matrices lie in the first two axes; the axes after them are a batch, of which each matrix
// is computed by itself. f32, f64, complex64 and complex128. Strides are free: an operand is packed matrix by
// matrix. Where a matrix of the batch does not have what it must have the call throws ExecutionError
// (not_positive_definite, singular, no_convergence) with its pivot, and the outputs are lost.
template <class Derived>
class LinearAlgebra {
  template <class A>
  using Matrix = ResultOf<abi::ResultRule::same, A>;
  template <abi::ResultRule rule, class A>
  using Vector = ResultOf<rule, A, A, rank_plus(detail::ArgumentType<A>::rank, -1)>;

 public:
  // l with a = l l^H, lower; of `a`, hermitian and positive definite, the lower triangle is read.
  template <TensorArgument A>
  auto cholesky(const A& a) const {
    return made<Matrix<A>>(run(TENURE_LINALG_CHOLESKY, {a})[0]);
  }
  void cholesky_into(const TensorRead& a, const TensorWrite& l) const {
    run_into(TENURE_LINALG_CHOLESKY, {a}, {l});
  }
  // With exchanges of rows. A singular matrix has these factors too.
  template <TensorArgument A>
  auto lu(const A& a) const {
    auto all = run(TENURE_LINALG_LU, {a});
    using Indices = Vector<abi::ResultRule::index, A>;
    return LuFactors<Matrix<A>, Indices>{made<Matrix<A>>(all[0]), made<Indices>(all[1])};
  }
  void lu_into(const TensorRead& a, const TensorWrite& factors, const TensorWrite& rows) const {
    run_into(TENURE_LINALG_LU, {a}, {factors, rows});
  }
  template <TensorArgument A>
  auto qr(const A& a) const {
    auto all = run(TENURE_LINALG_QR, {a});
    return QrFactors<Matrix<A>>{made<Matrix<A>>(all[0]), made<Matrix<A>>(all[1])};
  }
  void qr_into(const TensorRead& a, const TensorWrite& q, const TensorWrite& r) const {
    run_into(TENURE_LINALG_QR, {a}, {q, r});
  }
  // x with a x = b, where `a` is triangular: one triangle of it is read. Batch axes of extent 1 broadcast.
  template <TensorArgument A, TensorArgument B>
  auto triangular_solve(const A& a, const B& b, const TriangularOptions& options = {}) const {
    static_assert(detail::have_equal_elements<A, B>, "operands have equal element types; cast one of them");
    return made<ResultOf<abi::ResultRule::same, A, B>>(
        run(TENURE_LINALG_TRIANGULAR_SOLVE, {a, b}, flags_of(options))[0]);
  }
  void triangular_solve_into(const TensorRead& a, const TensorRead& b, const TensorWrite& x,
                             const TriangularOptions& options = {}) const {
    run_into(TENURE_LINALG_TRIANGULAR_SOLVE, {a, b}, {x}, flags_of(options));
  }
  // x with a x = b, by lu. Batch axes of extent 1 broadcast.
  template <TensorArgument A, TensorArgument B>
  auto solve(const A& a, const B& b) const {
    static_assert(detail::have_equal_elements<A, B>, "operands have equal element types; cast one of them");
    return made<ResultOf<abi::ResultRule::same, A, B>>(run(TENURE_LINALG_SOLVE, {a, b})[0]);
  }
  void solve_into(const TensorRead& a, const TensorRead& b, const TensorWrite& x) const {
    run_into(TENURE_LINALG_SOLVE, {a, b}, {x});
  }
  // Of a hermitian matrix, of which the lower triangle is read.
  template <TensorArgument A>
  auto eigh(const A& a) const {
    auto all = run(TENURE_LINALG_EIGH, {a});
    using Values = Vector<abi::ResultRule::real_part, A>;
    return EigenPairs<Matrix<A>, Values>{made<Values>(all[0]), made<Matrix<A>>(all[1])};
  }
  void eigh_into(const TensorRead& a, const TensorWrite& values, const TensorWrite& vectors) const {
    run_into(TENURE_LINALG_EIGH, {a}, {values, vectors});
  }
  template <TensorArgument A>
  auto svd(const A& a) const {
    auto all = run(TENURE_LINALG_SVD, {a});
    using Values = Vector<abi::ResultRule::real_part, A>;
    return SingularVectors<Matrix<A>, Values>{made<Matrix<A>>(all[0]), made<Values>(all[1]),
                                              made<Matrix<A>>(all[2])};
  }
  void svd_into(const TensorRead& a, const TensorWrite& u, const TensorWrite& s,
                const TensorWrite& vh) const {
    run_into(TENURE_LINALG_SVD, {a}, {u, s, vh});
  }

 private:
  static constexpr std::uint32_t flags_of(const TriangularOptions& options) noexcept {
    return (options.is_upper ? TENURE_LINALG_UPPER : 0) |
           (options.has_unit_diagonal ? TENURE_LINALG_UNIT_DIAGONAL : 0);
  }
  template <class Result>
  static Result made(Tensor& tensor) {
    return Derived::template typed<Result>(std::move(tensor));
  }
  std::vector<Tensor> run(std::uint32_t function, std::initializer_list<TensorRead> inputs,
                          std::uint32_t flags = 0) const {
    return self().run_linalg(function, flags, inputs);
  }
  void run_into(std::uint32_t function, std::initializer_list<TensorRead> inputs,
                std::initializer_list<TensorWrite> outputs, std::uint32_t flags = 0) const {
    self().run_linalg_into(function, flags, inputs, outputs);
  }
  const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

}  // namespace tenure::inline TENURE_BUILD
