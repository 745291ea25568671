// SPDX-License-Identifier: Apache-2.0
// eigen: on one thread, compiled for the instruction set of the machine that built it.
#include <Eigen/Core>

#include "../peer.hpp"
#include "eigen_linalg.hpp"

namespace tenure::bench {

namespace {

template <class T>
using Values = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
template <class T>
using Matrix = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>>;

template <class T>
Values<T> values_of(const Array& array) {
  return Values<T>(static_cast<T*>(array.data), array.count());
}
template <class T>
Matrix<T> matrix_of(const Array& array) {
  return Matrix<T>(static_cast<T*>(array.data), array.extents[0], array.extents[1]);
}

// Evaluates the expression into `out`, or into a new array.
template <class T, class Expression>
Work evaluate(const ElementwiseJob& job, Expression expression) {
  if (job.is_allocating) {
    return repeat([expression] {
      const Eigen::Array<T, Eigen::Dynamic, 1> result = expression();
      do_not_optimize(result.data());
    });
  }
  return repeat([expression, out = values_of<T>(job.out)]() mutable {
    out = expression();
    do_not_optimize(out.data());
  });
}

template <class T>
Work elementwise_of(const ElementwiseJob& job) {
  const Values<T> a = values_of<T>(job.inputs[0]);
  switch (job.operation) {
    case Operation::add:
      return evaluate<T>(job, [a, b = values_of<T>(job.inputs[1])] { return a + b; });
    case Operation::multiply:
      return evaluate<T>(job, [a, b = values_of<T>(job.inputs[1])] { return a * b; });
    case Operation::sqrt:
      return evaluate<T>(job, [a] { return a.sqrt(); });
    case Operation::exp:
      return evaluate<T>(job, [a] { return a.exp(); });
    case Operation::log:
      return evaluate<T>(job, [a] { return a.log(); });
    case Operation::sin:
      return evaluate<T>(job, [a] { return a.sin(); });
    case Operation::tanh:
      return evaluate<T>(job, [a] { return a.tanh(); });
    case Operation::sqrt_exp_multiply:
      return evaluate<T>(job, [a] { return a.sqrt() * a.exp(); });
    case Operation::log1p_exp_multiply:
      return evaluate<T>(job, [a] { return a.log1p() * a.exp(); });
    default:
      return {};
  }
}

template <class T>
Work reduce_of(const ReduceJob& job) {
  T* const out = static_cast<T*>(job.out.data);
  const bool is_sum = job.operation == Operation::sum;
  if (job.axis < 0) {
    const Values<T> a = values_of<T>(job.input);
    return repeat([=] { *out = is_sum ? a.sum() : a.maxCoeff(); });
  }
  const Matrix<T> a = matrix_of<T>(job.input);
  Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>> result(out, job.out.count());
  if (job.axis == 0) {
    return repeat([=]() mutable {
      if (is_sum) {
        result = a.colwise().sum().transpose();
      } else {
        result = a.colwise().maxCoeff().transpose();
      }
    });
  }
  return repeat([=]() mutable {
    if (is_sum) {
      result = a.rowwise().sum();
    } else {
      result = a.rowwise().maxCoeff();
    }
  });
}

template <class T>
Work matmul_of(const MatmulJob& job) {
  const Matrix<T> a = matrix_of<T>(job.a);
  const Matrix<T> b = matrix_of<T>(job.b);
  if (job.is_allocating) {
    return repeat([=] {
      const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> result = a * b;
      do_not_optimize(result.data());
    });
  }
  return repeat([=, out = matrix_of<T>(job.out)]() mutable {
    out.noalias() = a * b;
    do_not_optimize(out.data());
  });
}

class EigenPeer final : public Peer {
 public:
  std::string name() const override { return "eigen"; }
  std::string description() const override {
    return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION) + ", " + Eigen::SimdInstructionSetsInUse() + ", one thread";
  }
  Work elementwise(const ElementwiseJob& job) const override {
    return job.out.element == Element::f32 ? elementwise_of<float>(job) : elementwise_of<double>(job);
  }
  Work reduce(const ReduceJob& job) const override {
    if (job.axis >= 0 && job.input.extents.size() != 2) return {};
    return job.input.element == Element::f32 ? reduce_of<float>(job) : reduce_of<double>(job);
  }
  Work matmul(const MatmulJob& job) const override {
    if (job.out.extents.size() != 2 || job.is_left_transposed) return {};
    return job.out.element == Element::f32 ? matmul_of<float>(job) : matmul_of<double>(job);
  }
  Work linalg(const LinalgJob& job) const override { return eigen_linalg(job); }
};

}  // namespace

std::unique_ptr<Peer> make_eigen_peer() { return std::make_unique<EigenPeer>(); }

}  // namespace tenure::bench
