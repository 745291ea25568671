// SPDX-License-Identifier: Apache-2.0
// What is put together from the factors is the matrix again, in higher precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <set>

#include "box.hpp"
#include "cpu_plugin.hpp"
#include "reference_matrix.hpp"

namespace cpu_test {
namespace {

constexpr std::array<const char*, 4> dtype_names{"f32", "f64", "complex64", "complex128"};

Dtype real_of(Dtype dtype) {
  const std::string_view name = name_of(dtype);
  return name == "complex64" ? dtype_named("f32") : name == "complex128" ? dtype_named("f64") : dtype;
}

long double epsilon_of(Dtype dtype) {
  return std::ldexp(1.0L, 1 - precision_of(real_of(dtype)).mantissa_bits);
}

// Within a few roundings for each term, relative to the largest element.
void require_close(const Matrix& found, const Matrix& expected, long double epsilon, long double scale) {
  REQUIRE(found.rows == expected.rows);
  REQUIRE(found.columns == expected.columns);
  Matrix difference = found;
  for (std::size_t i = 0; i < difference.values.size(); ++i) difference.values[i] -= expected.values[i];
  const auto terms = static_cast<long double>(std::max(found.rows, found.columns) + 10);
  REQUIRE(largest(difference) <= 8 * terms * epsilon * scale);
}

// Matrix number `number` of a box, or a vector as a matrix of one column.
Matrix matrix_of(const Box& box, std::int64_t number, bool is_vector = false) {
  Matrix result(box.extents()[0], is_vector ? 1 : box.extents()[1]);
  const auto count = static_cast<std::int64_t>(result.values.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const Number found = box.get(number * count + i);
    result.values[static_cast<std::size_t>(i)] = {found.re, found.im};
  }
  return result;
}

void set_matrix(Box& box, std::int64_t number, const Matrix& matrix) {
  const auto count = static_cast<std::int64_t>(matrix.values.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const Complex& value = matrix.values[static_cast<std::size_t>(i)];
    box.set(number * count + i, {value.real(), value.imag()});
  }
}

Matrix random_matrix(Random& random, std::int64_t rows, std::int64_t columns) {
  Matrix result(rows, columns);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  for (Complex& value : result.values) value = {part(random), part(random)};
  return result;
}

// Far from singular.
Matrix dominant_matrix(Random& random, std::int64_t n) {
  Matrix result = random_matrix(random, n, n);
  for (std::int64_t i = 0; i < n; ++i) result.at(i, i) += static_cast<long double>(2 * n);
  return result;
}

// The extents of a matrix or vector and of the batch after them.
Extents with_batch(Extents own, const Extents& batch) {
  own.insert(own.end(), batch.begin(), batch.end());
  return own;
}

// Matrices in a box of random strides, and what their dtype keeps of them.
Box stored(Random& random, Dtype dtype, std::int64_t rows, std::int64_t columns, const Extents& batch,
           const auto& make) {
  Box box(random, dtype, with_batch({rows, columns}, batch), random_layout(random, false));
  for (std::int64_t number = 0; number < count_of(batch); ++number) set_matrix(box, number, make());
  return box;
}

Outcome run(const Engine& engine, std::uint32_t function, std::initializer_list<const Box*> inputs,
            std::initializer_list<Box*> outputs, std::uint32_t flags = 0) {
  std::vector<tenure_operand> operands;
  for (const Box* input : inputs) operands.push_back(input->operand(TENURE_OPERAND_READ));
  for (const Box* output : outputs) operands.push_back(output->operand(TENURE_OPERAND_WRITE));
  auto attributes = tenure::abi::make_struct<tenure_linalg_attributes>();
  attributes.function = function;
  attributes.flags = flags;
  return engine.execute(TENURE_OP_LINALG, operands, &attributes);
}

void require_success(const Outcome& outcome) {
  INFO(outcome.message);
  REQUIRE(outcome.code == TENURE_OK);
}

// Calls body(engine, dtype, batch) for every dtype, serial and parallel.
template <class Body>
void for_each_case(Random& random, int rounds, const Body& body) {
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 3);
  for (const char* const name : dtype_names) {
    for (int round = 0; round < rounds; ++round) {
      Extents batch;
      for (std::int64_t rank = pick(random, 0, 2); rank > 0; --rank) batch.push_back(pick(random, 1, 4));
      CAPTURE(name);
      CAPTURE(round);
      body(round % 2 == 0 ? serial : parallel, dtype_named(name), batch);
    }
  }
}

}  // namespace

TEST_CASE("Linalg: cholesky gives the lower factor and reads the lower triangle alone") {
  Random random(1);
  for_each_case(random, 12, [&](const Engine& engine, Dtype dtype, const Extents& batch) {
    const std::int64_t n = pick(random, 1, 40);
    Box a = stored(random, dtype, n, n, batch, [&] {
      Matrix hermitian = dominant_matrix(random, n);
      for (std::int64_t i = 0; i < n; ++i) hermitian.at(i, i) = hermitian.at(i, i).real();
      return hermitian;
    });
    Box l(random, dtype, a.extents(), random_layout(random, false));
    const Box before = l;
    require_success(run(engine, TENURE_LINALG_CHOLESKY, {&a}, {&l}));
    REQUIRE(l.differs_only_in_elements(before));
    for (std::int64_t number = 0; number < count_of(batch); ++number) {
      const Matrix factor = matrix_of(l, number);
      Matrix expected = matrix_of(a, number);
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < j; ++i) {
          REQUIRE(factor.at(i, j) == Complex(0));
          expected.at(i, j) = std::conj(expected.at(j, i));
        }
      }
      require_close(multiply(factor, adjoint(factor)), expected, epsilon_of(dtype), largest(expected));
    }
  });
}

TEST_CASE("Linalg: the rows of a that lu names are the product of its factors") {
  Random random(2);
  for_each_case(random, 16, [&](const Engine& engine, Dtype dtype, const Extents& batch) {
    const std::int64_t m = pick(random, 1, 30), n = pick(random, 0, 30), k = std::min(m, n);
    const Box a = stored(random, dtype, m, n, batch, [&] { return random_matrix(random, m, n); });
    Box factors(random, dtype, a.extents(), random_layout(random, false));
    Box rows(random, dtype_named("i64"), with_batch({m}, batch), random_layout(random, false));
    require_success(run(engine, TENURE_LINALG_LU, {&a}, {&factors, &rows}));
    for (std::int64_t number = 0; number < count_of(batch); ++number) {
      const Matrix packed = matrix_of(factors, number);
      const Matrix order = matrix_of(rows, number, true);
      const Matrix matrix = matrix_of(a, number);
      Matrix lower(m, k), upper(k, n), expected(m, n);
      std::set<std::int64_t> seen;
      for (std::int64_t i = 0; i < m; ++i) {
        const auto row = static_cast<std::int64_t>(order.at(i, 0).real());
        REQUIRE(seen.insert(row).second);
        for (std::int64_t j = 0; j < n; ++j) {
          expected.at(i, j) = matrix.at(row, j);
          if (j >= i) upper.at(i, j) = packed.at(i, j);
        }
        for (std::int64_t j = 0; j < k; ++j)
          lower.at(i, j) = i == j ? 1 : i > j ? packed.at(i, j) : Complex(0);
      }
      require_close(multiply(lower, upper), expected, epsilon_of(dtype), 10);
    }
  });
}

TEST_CASE("Linalg: qr gives orthonormal columns and an upper factor") {
  Random random(3);
  for_each_case(random, 16, [&](const Engine& engine, Dtype dtype, const Extents& batch) {
    const std::int64_t m = pick(random, 1, 30), n = pick(random, 1, 30), k = std::min(m, n);
    const Box a = stored(random, dtype, m, n, batch, [&] { return random_matrix(random, m, n); });
    Box q(random, dtype, with_batch({m, k}, batch), random_layout(random, false));
    Box r(random, dtype, with_batch({k, n}, batch), random_layout(random, false));
    require_success(run(engine, TENURE_LINALG_QR, {&a}, {&q, &r}));
    for (std::int64_t number = 0; number < count_of(batch); ++number) {
      const Matrix columns = matrix_of(q, number);
      const Matrix upper = matrix_of(r, number);
      for (std::int64_t j = 0; j < k; ++j) {
        for (std::int64_t i = j + 1; i < k; ++i) REQUIRE(upper.at(i, j) == Complex(0));
      }
      require_close(multiply(columns, upper), matrix_of(a, number), epsilon_of(dtype), 4);
      require_close(multiply(adjoint(columns), columns), identity(k), epsilon_of(dtype), 1);
    }
  });
}

TEST_CASE("Linalg: solve and triangular_solve give what multiplies to the right side") {
  Random random(4);
  for_each_case(random, 16, [&](const Engine& engine, Dtype dtype, const Extents& batch) {
    const std::int64_t n = pick(random, 1, 30), columns = pick(random, 1, 5);
    const Box a = stored(random, dtype, n, n, batch, [&] { return dominant_matrix(random, n); });
    const Box b = stored(random, dtype, n, columns, batch, [&] { return random_matrix(random, n, columns); });
    Box x(random, dtype, b.extents(), random_layout(random, false));
    require_success(run(engine, TENURE_LINALG_SOLVE, {&a, &b}, {&x}));
    for (std::int64_t number = 0; number < count_of(batch); ++number) {
      require_close(multiply(matrix_of(a, number), matrix_of(x, number)), matrix_of(b, number),
                    epsilon_of(dtype), 4);
    }
    for (std::uint32_t flags = 0; flags < 4; ++flags) {
      // With a diagonal of ones the others have to be small.
      const bool is_upper = (flags & TENURE_LINALG_UPPER) != 0;
      const bool is_unit = (flags & TENURE_LINALG_UNIT_DIAGONAL) != 0;
      const Box t = stored(random, dtype, n, n, batch, [&] {
        Matrix small = dominant_matrix(random, n);
        for (Complex& value : small.values) value /= static_cast<long double>(2 * n);
        return small;
      });
      require_success(run(engine, TENURE_LINALG_TRIANGULAR_SOLVE, {&t, &b}, {&x}, flags));
      for (std::int64_t number = 0; number < count_of(batch); ++number) {
        Matrix triangle = matrix_of(t, number);
        for (std::int64_t j = 0; j < n; ++j) {
          for (std::int64_t i = 0; i < n; ++i) {
            if (i == j && is_unit) triangle.at(i, j) = 1;
            if (i != j && (i < j) != is_upper) triangle.at(i, j) = 0;
          }
        }
        require_close(multiply(triangle, matrix_of(x, number)), matrix_of(b, number), epsilon_of(dtype), 8);
      }
    }
  });
}

TEST_CASE("Linalg: eigh gives ascending real values and orthonormal vectors") {
  Random random(5);
  for_each_case(random, 12, [&](const Engine& engine, Dtype dtype, const Extents& batch) {
    const std::int64_t n = pick(random, 1, 40);
    const Box a = stored(random, dtype, n, n, batch, [&] {
      Matrix hermitian = random_matrix(random, n, n);
      for (std::int64_t i = 0; i < n; ++i) hermitian.at(i, i) = hermitian.at(i, i).real();
      return hermitian;
    });
    Box values(random, real_of(dtype), with_batch({n}, batch), random_layout(random, false));
    Box vectors(random, dtype, a.extents(), random_layout(random, false));
    require_success(run(engine, TENURE_LINALG_EIGH, {&a}, {&values, &vectors}));
    for (std::int64_t number = 0; number < count_of(batch); ++number) {
      Matrix matrix = matrix_of(a, number);
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < j; ++i) matrix.at(i, j) = std::conj(matrix.at(j, i));
      }
      const Matrix v = matrix_of(vectors, number);
      const Matrix w = matrix_of(values, number, true);
      for (std::int64_t i = 1; i < n; ++i) REQUIRE(w.at(i - 1, 0).real() <= w.at(i, 0).real());
      require_close(multiply(matrix, v), multiply(v, diagonal(w)), epsilon_of(dtype), largest(w) + 1);
      require_close(multiply(adjoint(v), v), identity(n), epsilon_of(dtype), 1);
    }
  });
}

TEST_CASE("Linalg: svd gives descending values and orthonormal vectors on both sides") {
  Random random(6);
  for_each_case(random, 16, [&](const Engine& engine, Dtype dtype, const Extents& batch) {
    const std::int64_t m = pick(random, 1, 30), n = pick(random, 1, 30), k = std::min(m, n);
    const Box a = stored(random, dtype, m, n, batch, [&] { return random_matrix(random, m, n); });
    Box u(random, dtype, with_batch({m, k}, batch), random_layout(random, false));
    Box s(random, real_of(dtype), with_batch({k}, batch), random_layout(random, false));
    Box vh(random, dtype, with_batch({k, n}, batch), random_layout(random, false));
    require_success(run(engine, TENURE_LINALG_SVD, {&a}, {&u, &s, &vh}));
    for (std::int64_t number = 0; number < count_of(batch); ++number) {
      const Matrix left = matrix_of(u, number), right = matrix_of(vh, number);
      const Matrix w = matrix_of(s, number, true);
      for (std::int64_t i = 0; i < k; ++i) {
        REQUIRE(w.at(i, 0).real() >= 0);
        if (i > 0) REQUIRE(w.at(i - 1, 0).real() >= w.at(i, 0).real());
      }
      require_close(multiply(multiply(left, diagonal(w)), right), matrix_of(a, number), epsilon_of(dtype),
                    largest(w) + 1);
      require_close(multiply(adjoint(left), left), identity(k), epsilon_of(dtype), 1);
      require_close(multiply(right, adjoint(right)), identity(k), epsilon_of(dtype), 1);
    }
  });
}

TEST_CASE("Linalg: a large batch has the same bits in parallel as one by one") {
  Random random(10);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 3);
  const Extents batch{100};
  for (const char* const name : dtype_names) {
    const Dtype dtype = dtype_named(name);
    Box a = stored(random, dtype, 32, 32, batch, [&] { return dominant_matrix(random, 32); });
    const auto both = [&](std::uint32_t function, std::vector<Box> outputs) {
      std::array<std::vector<std::byte>, 2> bytes;
      for (const bool is_parallel : {false, true}) {
        const Engine& engine = is_parallel ? parallel : serial;
        const Outcome outcome = outputs.size() == 2
                                    ? run(engine, function, {&a}, {&outputs[0], &outputs[1]})
                                    : run(engine, function, {&a}, {&outputs[0], &outputs[1], &outputs[2]});
        require_success(outcome);
        for (const Box& output : outputs) {
          const auto found = output.bytes();
          bytes[is_parallel].insert(bytes[is_parallel].end(), found.begin(), found.end());
        }
      }
      REQUIRE(bytes[0] == bytes[1]);
    };
    const Box matrices(random, dtype, a.extents());
    const Box values(random, real_of(dtype), {32, 100});
    both(TENURE_LINALG_LU, {matrices, Box(random, dtype_named("i64"), {32, 100})});
    both(TENURE_LINALG_QR, {matrices, matrices});
    both(TENURE_LINALG_EIGH, {values, matrices});
    both(TENURE_LINALG_SVD, {matrices, values, matrices});

    Matrix broken(32, 32);
    set_matrix(a, 70, broken);
    set_matrix(a, 99, broken);
    Box out = matrices;
    const Outcome outcome = run(parallel, TENURE_LINALG_CHOLESKY, {&a}, {&out});
    CHECK(outcome.message.find("of matrix 70 of the batch") != std::string::npos);
  }
}

TEST_CASE("Linalg: a matrix that lacks what is wanted is named with its pivot, and the engine goes on") {
  Random random(7);
  for_each_case(random, 2, [&](const Engine& engine, Dtype dtype, const Extents&) {
    const Extents batch{3};
    const auto make = [&] {
      Matrix matrix = identity(4);
      matrix.at(2, 2) = 5;
      return matrix;
    };
    Box a = stored(random, dtype, 4, 4, batch, make);
    Box out(random, dtype, a.extents());
    Box values(random, real_of(dtype), {4, 3});
    Matrix broken = identity(4);
    broken.at(2, 2) = 0;
    set_matrix(a, 1, broken);
    set_matrix(a, 2, Matrix(4, 4));
    const auto check = [&](const Outcome& outcome, const char* what) {
      CHECK(outcome.code == TENURE_FAILED_PRECONDITION);
      CHECK(outcome.message.find(what) != std::string::npos);
      CHECK(outcome.message.find("of matrix 1 of the batch") != std::string::npos);
    };
    check(run(engine, TENURE_LINALG_CHOLESKY, {&a}, {&out}), "pivot 2");
    check(run(engine, TENURE_LINALG_SOLVE, {&a, &a}, {&out}), "pivot 2");
    check(run(engine, TENURE_LINALG_TRIANGULAR_SOLVE, {&a, &a}, {&out}), "pivot 2");
    require_success(
        run(engine, TENURE_LINALG_TRIANGULAR_SOLVE, {&a, &a}, {&out}, TENURE_LINALG_UNIT_DIAGONAL));

    broken.at(2, 2) = std::numeric_limits<long double>::quiet_NaN();
    set_matrix(a, 1, broken);
    check(run(engine, TENURE_LINALG_CHOLESKY, {&a}, {&out}), "pivot 2");
    check(run(engine, TENURE_LINALG_EIGH, {&a}, {&values, &out}), "did not converge");
    check(run(engine, TENURE_LINALG_SVD, {&a}, {&out, &values, &out}), "did not converge");

    set_matrix(a, 1, make());
    require_success(run(engine, TENURE_LINALG_EIGH, {&a}, {&values, &out}));
  });
}

TEST_CASE("Linalg: matrices without elements have factors without elements") {
  Random random(8);
  for_each_case(random, 1, [&](const Engine& engine, Dtype dtype, const Extents& batch) {
    const Box a(random, dtype, with_batch({3, 0}, batch));
    Box nothing(random, dtype, with_batch({3, 0}, batch));
    Box none(random, dtype, with_batch({0, 0}, batch));
    Box values(random, real_of(dtype), with_batch({0}, batch));
    Box rows(random, dtype_named("i64"), with_batch({3}, batch));
    require_success(run(engine, TENURE_LINALG_QR, {&a}, {&nothing, &none}));
    require_success(run(engine, TENURE_LINALG_SVD, {&a}, {&nothing, &values, &none}));
    require_success(run(engine, TENURE_LINALG_CHOLESKY, {&none}, {&none}));
    require_success(run(engine, TENURE_LINALG_LU, {&a}, {&nothing, &rows}));
    for (std::int64_t i = 0; i < rows.count(); ++i)
      REQUIRE(rows.get(i).re == static_cast<long double>(i % 3));
  });
}

TEST_CASE("Linalg: dtypes, extents, flags and functions that do not go together are refused") {
  Random random(9);
  const Instance instance;
  const Engine engine(instance);
  const Dtype f64 = dtype_named("f64");
  const Box a(random, f64, {3, 3}), wide(random, f64, {3, 4}), b(random, f64, {3, 2});
  Box x(random, f64, {3, 2}), out(random, f64, {3, 3});
  Box single(random, dtype_named("f32"), {3, 3});
  const std::vector<std::byte> before = out.bytes();
  CHECK(run(engine, TENURE_LINALG_CHOLESKY, {&wide}, {&out}).code == TENURE_INVALID_ARGUMENT);
  CHECK(run(engine, TENURE_LINALG_CHOLESKY, {&a}, {&x}).code == TENURE_INVALID_ARGUMENT);
  CHECK(run(engine, TENURE_LINALG_CHOLESKY, {&a}, {&single}).code == TENURE_UNIMPLEMENTED);
  CHECK(run(engine, TENURE_LINALG_CHOLESKY, {&a}, {&out}, TENURE_LINALG_UPPER).code == TENURE_UNIMPLEMENTED);
  CHECK(run(engine, TENURE_LINALG_CHOLESKY, {&a, &a}, {&out}).code == TENURE_UNIMPLEMENTED);
  CHECK(run(engine, 99, {&a}, {&out}).code == TENURE_UNIMPLEMENTED);
  CHECK(run(engine, TENURE_LINALG_SOLVE, {&a, &b}, {&out}).code == TENURE_INVALID_ARGUMENT);
  CHECK(out.bytes() == before);
  const tenure_dtype f16 = to_abi(dtype_named("f16"));
  CHECK_FALSE(engine.supports(TENURE_OP_LINALG, TENURE_LINALG_CHOLESKY, {f16, f16}));
  CHECK(engine.supports(
      TENURE_OP_LINALG, TENURE_LINALG_EIGH,
      {to_abi(dtype_named("complex64")), to_abi(dtype_named("f32")), to_abi(dtype_named("complex64"))}));
}

}  // namespace cpu_test
