// SPDX-License-Identifier: Apache-2.0
#include "eigen_linalg.hpp"

#include <Eigen/Dense>
#include <memory>

namespace tenure::bench {

namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using MatrixMap = Eigen::Map<Matrix<T>>;

constexpr int thin = Eigen::ComputeThinU | Eigen::ComputeThinV;

template <class T>
MatrixMap<T> matrix_of(const Array& array) {
  return MatrixMap<T>(static_cast<T*>(array.data), array.extents[0],
                      array.extents.size() > 1 ? array.extents[1] : 1);
}

// A new decomposition each time, with all of its factors.
template <class T>
Work allocating(const LinalgJob& job) {
  const MatrixMap<T> a = matrix_of<T>(job.a);
  switch (job.operation) {
    case LinalgOperation::cholesky:
      return repeat([a] {
        const Matrix<T> l = a.llt().matrixL();
        do_not_optimize(l.data());
      });
    case LinalgOperation::lu:
      return repeat([a] {
        const Eigen::PartialPivLU<Matrix<T>> lu(a);
        do_not_optimize(lu.matrixLU().data());
      });
    case LinalgOperation::qr:
      return repeat([a] {
        const Eigen::HouseholderQR<Matrix<T>> qr(a);
        const Matrix<T> q = qr.householderQ();
        const Matrix<T> r = qr.matrixQR().template triangularView<Eigen::Upper>();
        do_not_optimize(q.data());
        do_not_optimize(r.data());
      });
    case LinalgOperation::solve:
      return repeat([a, b = matrix_of<T>(job.b)] {
        const Matrix<T> x = a.partialPivLu().solve(b);
        do_not_optimize(x.data());
      });
    case LinalgOperation::triangular_solve:
      return repeat([a, b = matrix_of<T>(job.b)] {
        const Matrix<T> x = a.template triangularView<Eigen::Lower>().solve(b);
        do_not_optimize(x.data());
      });
    case LinalgOperation::eigh:
      return repeat([a] {
        const Eigen::SelfAdjointEigenSolver<Matrix<T>> pairs(a);
        do_not_optimize(pairs.eigenvectors().data());
      });
    case LinalgOperation::svd:
      return repeat([a] {
        const Eigen::BDCSVD<Matrix<T>> svd(a, thin);
        do_not_optimize(svd.matrixU().data());
      });
  }
  return {};
}

// A decomposition object that keeps its memory, whose factors are then written where the job says.
template <class Solver, class T, class Write>
Work kept(const std::shared_ptr<Solver>& solver, const MatrixMap<T>& a, Write write) {
  return repeat([solver, a, write]() mutable {
    solver->compute(a);
    write(*solver);
  });
}

template <class T>
Work into(const LinalgJob& job) {
  const MatrixMap<T> a = matrix_of<T>(job.a);
  MatrixMap<T> first = matrix_of<T>(job.outputs[0]);
  const Eigen::Index n = a.rows();
  switch (job.operation) {
    case LinalgOperation::cholesky:
      return kept(std::make_shared<Eigen::LLT<Matrix<T>>>(n), a,
                  [first](const auto& llt) mutable { first = llt.matrixL(); });
    case LinalgOperation::lu:
      return kept(std::make_shared<Eigen::PartialPivLU<Matrix<T>>>(n), a,
                  [first](const auto& lu) mutable { first = lu.matrixLU(); });
    case LinalgOperation::qr:
      return kept(std::make_shared<Eigen::HouseholderQR<Matrix<T>>>(n, n), a,
                  [first, r = matrix_of<T>(job.outputs[1])](const auto& qr) mutable {
                    first = qr.householderQ();
                    r = qr.matrixQR().template triangularView<Eigen::Upper>();
                  });
    case LinalgOperation::solve:
      return kept(std::make_shared<Eigen::PartialPivLU<Matrix<T>>>(n), a,
                  [first, b = matrix_of<T>(job.b)](const auto& lu) mutable { first = lu.solve(b); });
    case LinalgOperation::triangular_solve:
      return repeat([a, first, b = matrix_of<T>(job.b)]() mutable {
        first = b;
        a.template triangularView<Eigen::Lower>().solveInPlace(first);
      });
    case LinalgOperation::eigh:
      return kept(std::make_shared<Eigen::SelfAdjointEigenSolver<Matrix<T>>>(n), a,
                  [first, vectors = matrix_of<T>(job.outputs[1])](const auto& pairs) mutable {
                    first = pairs.eigenvalues();
                    vectors = pairs.eigenvectors();
                  });
    case LinalgOperation::svd:
      return kept(std::make_shared<Eigen::BDCSVD<Matrix<T>>>(n, n, thin), a,
                  [first, s = matrix_of<T>(job.outputs[1]),
                   vh = matrix_of<T>(job.outputs[2])](const auto& svd) mutable {
                    first = svd.matrixU();
                    s = svd.singularValues();
                    vh = svd.matrixV().transpose();
                  });
  }
  return {};
}

}  // namespace

Work eigen_linalg(const LinalgJob& job) {
  if (job.a.element == Element::f32) return job.is_allocating ? allocating<float>(job) : into<float>(job);
  return job.is_allocating ? allocating<double>(job) : into<double>(job);
}

}  // namespace tenure::bench
