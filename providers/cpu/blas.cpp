// SPDX-License-Identifier: Apache-2.0
#include "blas.hpp"

#include <cblas.h>
#include <semaphore.h>

#include <cstddef>
#include <type_traits>

#include "tenure/abi/dtype.hpp"

namespace tenure::cpu {
namespace {

CBLAS_TRANSPOSE operation(const BlasMatrix& matrix) noexcept {
  if (matrix.is_conjugated) return matrix.is_transposed ? CblasConjTrans : CblasConjNoTrans;
  return matrix.is_transposed ? CblasTrans : CblasNoTrans;
}

void call_blas(const BlasProduct& product) noexcept {
  const auto m = static_cast<blasint>(product.m);
  const auto n = static_cast<blasint>(product.n);
  const auto k = static_cast<blasint>(product.k);
  const auto lda = static_cast<blasint>(product.left.leading);
  const auto ldb = static_cast<blasint>(product.right.leading);
  const auto ldc = static_cast<blasint>(product.out.leading);
  const CBLAS_TRANSPOSE left = operation(product.left);
  const CBLAS_TRANSPOSE right = operation(product.right);
  const void* const a = product.left.address;
  const void* const b = product.right.address;
  void* const c = product.out.address;
  const tenure_dtype dtype = abi::dtype_table[product.dtype].dtype;
  if (abi::is_complex(dtype) && dtype.bits == 64) {
    cblas_cgemm(CblasColMajor, left, right, m, n, k, product.alpha, a, lda, b, ldb, product.beta, c, ldc);
  } else if (abi::is_complex(dtype)) {
    cblas_zgemm(CblasColMajor, left, right, m, n, k, product.alpha, a, lda, b, ldb, product.beta, c, ldc);
  } else if (dtype.bits == 32) {
    cblas_sgemm(CblasColMajor, left, right, m, n, k, *static_cast<const float*>(product.alpha),
                static_cast<const float*>(a), lda, static_cast<const float*>(b), ldb,
                *static_cast<const float*>(product.beta), static_cast<float*>(c), ldc);
  } else {
    cblas_dgemm(CblasColMajor, left, right, m, n, k, *static_cast<const double*>(product.alpha),
                static_cast<const double*>(a), lda, static_cast<const double*>(b), ldb,
                *static_cast<const double*>(product.beta), static_cast<double*>(c), ldc);
  }
}

// Lets a number of callers into the library at once. Never destroyed: threads may still compute while the
// process exits.
class Turns {
 public:
  explicit Turns(unsigned count) noexcept { sem_init(&semaphore_, 0, count); }

  void take() noexcept {
    while (sem_wait(&semaphore_) != 0) {  // interrupted by a signal
    }
  }
  void give() noexcept { sem_post(&semaphore_); }

 private:
  sem_t semaphore_;
};
static_assert(std::is_trivially_destructible_v<Turns>);

// A product takes one of the table's buffers, of which there are 50 at least. Where they run out the library
// first complains on the error stream and in the end terminates the process.
constexpr unsigned callers_max = 32;

Turns& turns() noexcept {
  static Turns all(callers_max);
  return all;
}

}  // namespace

BlasTurn::BlasTurn() noexcept { turns().take(); }
BlasTurn::~BlasTurn() { turns().give(); }

bool has_blas(std::size_t dtype) noexcept {
  if (dtype >= abi::dtype_table.size()) return false;
  const tenure_dtype found = abi::dtype_table[dtype].dtype;
  return abi::is_complex(found) || (found.code == TENURE_DTYPE_FLOAT && found.bits >= 32);
}

void multiply(const BlasProduct& product) noexcept {
  const BlasTurn turn;
  call_blas(product);
}

}  // namespace tenure::cpu
