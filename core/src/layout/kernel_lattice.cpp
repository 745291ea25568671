// SPDX-License-Identifier: Apache-2.0
#include "layout/kernel_lattice.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tenure::inline TENURE_BUILD {

namespace {

using Integer = boost::multiprecision::cpp_int;
using IntegerRow = std::vector<Integer>;

Integer dot(const IntegerRow& a, const IntegerRow& b) {
  Integer sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The nearest integer to dividend / divisor, for a positive divisor.
Integer nearest_quotient(const Integer& dividend, const Integer& divisor) {
  const Integer doubled = 2 * dividend + divisor;
  Integer quotient = doubled / (2 * divisor);
  if (doubled < 0 && quotient * 2 * divisor != doubled) --quotient;
  return quotient;
}

// Whether a row other than zero has its first coordinates within the box.
bool is_in_box(const IntegerRow& row, const IntegerRow& box) {
  bool zero = true;
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (abs(row[i]) > box[i]) return false;
    zero = zero && row[i] == 0;
  }
  return !zero;
}

// A lattice basis with its Gram-Schmidt data as integers: gram_[i] is the determinant of the first i vectors'
// Gram matrix and mu(i, j) is lambda_[i][j] / gram_[j + 1].
class Basis {
 public:
  explicit Basis(std::vector<IntegerRow> rows)
      : rows_(std::move(rows)), gram_(rows_.size() + 1), lambda_(rows_.size(), IntegerRow(rows_.size())) {
    gram_[0] = 1;
  }

  // LLL reduction with factor 3/4. False when `work_limit` row operations did not suffice.
  bool reduce(std::uint64_t work_limit, std::uint64_t& work) {
    orthogonalise(0);
    std::size_t known = 1;
    for (std::size_t k = 1; k < rows_.size();) {
      work += rows_.size();
      if (work > work_limit) return false;
      if (k == known) orthogonalise(known++);
      subtract_multiple(k, k - 1);
      const Integer& mixed = lambda_[k][k - 1];
      if (4 * (gram_[k + 1] * gram_[k - 1] + mixed * mixed) < 3 * gram_[k] * gram_[k]) {
        swap_with_previous(k, known);
        k = std::max<std::size_t>(k - 1, 1);
      } else {
        for (std::size_t j = k - 1; j-- > 0;) subtract_multiple(k, j);
        ++k;
      }
    }
    return true;
  }

  const IntegerRow& row(std::size_t i) const noexcept { return rows_[i]; }
  long double mu(std::size_t i, std::size_t j) const { return quotient(lambda_[i][j], gram_[j + 1]); }
  // The squared length of what vector i adds to the span of the ones before it.
  long double squared_height(std::size_t i) const { return quotient(gram_[i + 1], gram_[i]); }

 private:
  static long double quotient(const Integer& dividend, const Integer& divisor) {
    return dividend.convert_to<long double>() / divisor.convert_to<long double>();
  }

  void orthogonalise(std::size_t k) {
    for (std::size_t j = 0; j <= k; ++j) {
      Integer product = dot(rows_[k], rows_[j]);
      for (std::size_t i = 0; i < j; ++i) {
        product = (gram_[i + 1] * product - lambda_[k][i] * lambda_[j][i]) / gram_[i];
      }
      (j < k ? lambda_[k][j] : gram_[k + 1]) = std::move(product);
    }
  }

  void subtract_multiple(std::size_t k, std::size_t j) {
    const Integer factor = nearest_quotient(lambda_[k][j], gram_[j + 1]);
    if (factor == 0) return;
    for (std::size_t i = 0; i < rows_[k].size(); ++i) rows_[k][i] -= factor * rows_[j][i];
    for (std::size_t i = 0; i < j; ++i) lambda_[k][i] -= factor * lambda_[j][i];
    lambda_[k][j] -= factor * gram_[j + 1];
  }

  void swap_with_previous(std::size_t k, std::size_t known) {
    std::swap(rows_[k], rows_[k - 1]);
    for (std::size_t j = 0; j + 1 < k; ++j) std::swap(lambda_[k][j], lambda_[k - 1][j]);
    const Integer mixed = lambda_[k][k - 1];
    const Integer gram = (gram_[k - 1] * gram_[k + 1] + mixed * mixed) / gram_[k];
    for (std::size_t i = k + 1; i < known; ++i) {
      const Integer old = lambda_[i][k];
      lambda_[i][k] = (gram_[k + 1] * lambda_[i][k - 1] - mixed * old) / gram_[k];
      lambda_[i][k - 1] = (gram * old + mixed * lambda_[i][k]) / gram_[k + 1];
    }
    gram_[k] = gram;
  }

  std::vector<IntegerRow> rows_;
  IntegerRow gram_;
  std::vector<IntegerRow> lambda_;
};

// The combinations of the first `dimension` basis vectors whose length allows them to lie in the box.
class Enumeration {
 public:
  Enumeration(const Basis& basis, std::size_t dimension, const IntegerRow& box, std::uint64_t work_limit,
              std::uint64_t& work)
      : basis_(basis), box_(box), work_limit_(work_limit), work_(work), combination_(dimension) {
    for (std::size_t i = 0; i < dimension; ++i) {
      squared_heights_.push_back(basis.squared_height(i));
      mu_.emplace_back();
      for (std::size_t j = 0; j < i; ++j) mu_[i].push_back(basis.mu(i, j));
    }
  }

  SearchAnswer run() {
    long double squared_radius = 0;
    for (const Integer& half_edge : box_)
      squared_radius += std::pow(half_edge.convert_to<long double>(), 2.0L);
    return descend(combination_.size(), squared_radius * (1 + margin));
  }

  // After a yes: the vector, in scaled coordinates.
  const IntegerRow& found() const noexcept { return found_; }

 private:
  // Far above the rounding of the long doubles, so that no vector of the box is missed.
  static constexpr long double margin = 1e-9L;

  SearchAnswer descend(std::size_t level, long double squared_radius) {
    if (level == 0) return combine() ? SearchAnswer::yes : SearchAnswer::no;
    const std::size_t axis = level - 1;
    long double center = 0;
    for (std::size_t i = level; i < combination_.size(); ++i) center -= combination_[i] * mu_[i][axis];
    const long double reach = std::sqrt(squared_radius / squared_heights_[axis]) + margin;
    for (long double factor = std::ceil(center - reach); factor <= center + reach; ++factor) {
      if (work_ >= work_limit_) return SearchAnswer::undecided;
      ++work_;
      combination_[axis] = factor;
      const long double used = (factor - center) * (factor - center) * squared_heights_[axis];
      const SearchAnswer answer = descend(axis, std::max(0.0L, squared_radius - used));
      if (answer != SearchAnswer::no) return answer;
    }
    return SearchAnswer::no;
  }

  bool combine() {
    found_.assign(box_.size(), 0);
    for (std::size_t i = 0; i < combination_.size(); ++i) {
      const Integer factor(combination_[i]);
      for (std::size_t j = 0; j < box_.size(); ++j) found_[j] += factor * basis_.row(i)[j];
    }
    return is_in_box(found_, box_);
  }

  const Basis& basis_;
  const IntegerRow& box_;
  std::uint64_t work_limit_;
  std::uint64_t& work_;
  std::vector<long double> combination_;
  std::vector<long double> squared_heights_;
  std::vector<std::vector<long double>> mu_;
  IntegerRow found_;
};

// Row i stands for the vector with a one at i: its scaled coordinates, then its sum of multiples times a
// weight that makes every vector of another sum than zero longer than a reduced basis of the solutions.
std::vector<IntegerRow> weighted_unit_vectors(std::span<const std::int64_t> coefficients,
                                              const IntegerRow& scales) {
  const std::size_t count = coefficients.size();
  const Integer weight = (*std::max_element(scales.begin(), scales.end()) *
                          *std::max_element(coefficients.begin(), coefficients.end()))
                         << static_cast<unsigned>(count + 2);
  std::vector<IntegerRow> rows(count, IntegerRow(count + 1));
  for (std::size_t i = 0; i < count; ++i) {
    rows[i][i] = scales[i];
    rows[i][count] = weight * coefficients[i];
  }
  return rows;
}

}  // namespace

KernelVector find_kernel_vector(std::span<const std::int64_t> coefficients,
                                std::span<const std::int64_t> bounds, std::uint64_t work_limit) {
  const std::size_t count = coefficients.size();
  const Integer edge = Integer(*std::max_element(bounds.begin(), bounds.end())) * 1024;
  IntegerRow scales;
  IntegerRow box;
  for (const std::int64_t bound : bounds) {
    scales.push_back(edge / bound);
    box.push_back(scales.back() * bound);
  }
  const auto unscaled = [&](const IntegerRow& row) {
    std::vector<std::int64_t> vector;
    for (std::size_t i = 0; i < count; ++i)
      vector.push_back(Integer(row[i] / scales[i]).convert_to<std::int64_t>());
    return vector;
  };

  std::uint64_t work = 0;
  Basis basis(weighted_unit_vectors(coefficients, scales));
  if (!basis.reduce(work_limit, work)) return {SearchAnswer::undecided, {}, work};
  // The last vector is the one whose sum of multiples is not zero.
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (is_in_box(basis.row(i), box)) return {SearchAnswer::yes, unscaled(basis.row(i)), work};
  }
  Enumeration enumeration(basis, count - 1, box, work_limit, work);
  const SearchAnswer answer = enumeration.run();
  if (answer != SearchAnswer::yes) return {answer, {}, work};
  return {answer, unscaled(enumeration.found()), work};
}

}  // namespace tenure::inline TENURE_BUILD
