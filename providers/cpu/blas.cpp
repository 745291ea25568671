// SPDX-License-Identifier: Apache-2.0
#include "blas.hpp"

#include <cblas.h>
#include <semaphore.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <thread>
#include <type_traits>
#include <vector>

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

// One product of small integers, whose result is exact in any order of summation.
bool multiplies_exactly(int size, int seed) {
  const auto count = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  std::vector<double> a(count), b(count), c(count, -1.0);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = static_cast<double>((i * 7 + static_cast<std::size_t>(seed)) % 11) - 5.0;
    b[i] = static_cast<double>((i * 5 + static_cast<std::size_t>(seed)) % 13) - 6.0;
  }
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1.0, a.data(), size, b.data(),
              size, 0.0, c.data(), size);
  for (std::size_t j = 0; j < static_cast<std::size_t>(size); ++j) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
      double expected = 0.0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(size); ++k) {
        expected += a[i + k * static_cast<std::size_t>(size)] * b[k + j * static_cast<std::size_t>(size)];
      }
      if (c[i + j * static_cast<std::size_t>(size)] != expected) return false;
    }
  }
  return true;
}

// A serial BLAS keeps packing buffers in a table of the process. Built without locks it would hand one buffer
// to two threads, and both products would be wrong. False also where that could not be found out.
bool is_correct_concurrently() noexcept {
  constexpr int thread_count = 4;
  constexpr int rounds = 24;
  std::atomic<int> ready{0};
  std::atomic<bool> is_over{false};
  std::atomic<bool> is_correct{true};
  const auto work = [&](int seed) {
    try {
      ready.fetch_add(1);
      while (ready.load() < thread_count && !is_over.load()) std::this_thread::yield();
      for (int round = 0; round < rounds && !is_over.load(); ++round) {
        if (!multiplies_exactly(24 + 8 * (round % 3), seed + round)) is_correct.store(false);
      }
    } catch (const std::bad_alloc&) {
      is_correct.store(false);
    }
  };
  std::array<std::jthread, thread_count> threads;
  try {
    for (int i = 0; i < thread_count; ++i) {
      threads[static_cast<std::size_t>(i)] = std::jthread(work, 100 * i);
    }
  } catch (const std::exception&) {
    is_correct.store(false);
    is_over.store(true);
  }
  for (std::jthread& thread : threads) {
    if (thread.joinable()) thread.join();
  }
  return is_correct.load();
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
  static Turns all(is_correct_concurrently() ? callers_max : 1);
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
