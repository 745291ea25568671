// SPDX-License-Identifier: Apache-2.0
// contraction: contractions to be tried, and their results by plain loops.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "box.hpp"

namespace cpu_test {

using Complex = std::complex<long double>;

inline Complex to_complex(const Number& number) { return {number.re, number.im}; }

inline bool is_integer(Dtype dtype) { return tenure::abi::is_integer(to_abi(dtype)); }

// Floating elements get values of one size; integers keep any.
void set_moderate(Random& random, Box& box);

tenure_scalar scalar(Dtype dtype, const Number& number);

// Which axes of which boxes are paired.
struct Contraction {
  Dtype dtype;
  Extents left, right, out;
  std::vector<std::uint32_t> left_contracted, right_contracted, left_batch, right_batch;
  Number alpha{1, 0};
  Number beta{0, 0};
  std::uint32_t flags = 0;

  // Borrows from this.
  tenure_contract_attributes attributes() const;
};

// Sets `out` by the other extents and the lists.
void find_out_extents(Contraction& made);
// Any flags, alpha and beta.
void set_scalars(Random& random, Contraction& made);

// A contraction with its axes in random places.
Contraction random_contraction(Random& random, Dtype dtype, std::int64_t extent_max);
// m x k times k x n.
Contraction matrix_product(Dtype dtype, std::int64_t m, std::int64_t k, std::int64_t n);

struct ExpectedSum {
  Complex value;
  long double size = 0;       // of all terms together
  std::uint64_t wrapped = 0;  // of integers, modulo 2^64
};

// The result for each position of out, one sum after another.
std::vector<ExpectedSum> expected_out(const Contraction& made, const Box& left, const Box& right,
                                      const Box& out);

// An integer modulo 2^64.
std::uint64_t wrap(const Number& number);

}  // namespace cpu_test
