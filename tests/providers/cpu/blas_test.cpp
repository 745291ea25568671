// SPDX-License-Identifier: Apache-2.0
#include "blas.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "tenure/abi/dtype.hpp"

namespace {

template <class T>
constexpr tenure_dtype dtype_of{TENURE_DTYPE_FLOAT, 8 * sizeof(T), 1};
template <class Real>
constexpr tenure_dtype dtype_of<std::complex<Real>>{TENURE_DTYPE_COMPLEX, 16 * sizeof(Real), 1};

// Square matrices of small integers, whose product is exact in any order of summation and differs from seed
// to seed.
template <class T>
class Squares {
 public:
  Squares(std::size_t size, std::size_t seed)
      : size_(size), left_(size * size), right_(size * size), expected_(size * size), out_(size * size) {
    using Real = decltype(std::abs(T()));
    for (std::size_t i = 0; i < size * size; ++i) {
      left_[i] = static_cast<Real>((i * 7 + seed) % 11) - Real(5);
      right_[i] = static_cast<Real>((i * 5 + seed) % 13) - Real(6);
    }
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t i = 0; i < size; ++i)
          expected_[i + j * size] += left_[i + k * size] * right_[k + j * size];
      }
    }
  }

  bool multiplies_right() {
    std::ranges::fill(out_, T(-1));
    const T one(1), zero(0);
    const auto size = static_cast<std::int64_t>(size_);
    const auto* const row = tenure::abi::find_dtype(dtype_of<T>);
    tenure::cpu::multiply({.dtype = static_cast<std::size_t>(row - tenure::abi::dtype_table.data()),
                           .m = size,
                           .n = size,
                           .k = size,
                           .alpha = &one,
                           .left = {bytes(left_), size},
                           .right = {bytes(right_), size},
                           .beta = &zero,
                           .out = {bytes(out_), size}});
    return out_ == expected_;
  }

 private:
  static std::byte* bytes(std::vector<T>& elements) { return reinterpret_cast<std::byte*>(elements.data()); }

  std::size_t size_;
  std::vector<T> left_, right_, expected_, out_;
};

// How many of the products that each thread computes of matrices of its own are wrong.
template <class T>
int count_wrong_products(std::size_t size, int thread_count, int rounds) {
  std::atomic<int> ready{0};
  std::atomic<int> wrong{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < thread_count; ++i) {
    threads.emplace_back([&, seed = static_cast<std::size_t>(i)] {
      Squares<T> squares(size, seed);
      ready.fetch_add(1);
      while (ready.load() < thread_count) std::this_thread::yield();
      for (int round = 0; round < rounds; ++round) wrong.fetch_add(squares.multiplies_right() ? 0 : 1);
    });
  }
  threads.clear();
  return wrong.load();
}

}  // namespace

// The library has ways without a packing buffer for small products, of real numbers up to about a million
// terms at some core types. Those of complex numbers always take one.
TEST_CASE("Blas: products on several threads at once do not share a packing buffer") {
  CHECK(count_wrong_products<std::complex<double>>(12, 4, 4000) == 0);
  CHECK(count_wrong_products<std::complex<float>>(12, 4, 4000) == 0);
  CHECK(count_wrong_products<double>(104, 4, 50) == 0);
}

TEST_CASE("Blas: more callers at once than the library has room for") {
  CHECK(count_wrong_products<std::complex<double>>(12, 120, 5) == 0);
}
