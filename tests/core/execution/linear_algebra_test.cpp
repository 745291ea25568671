// SPDX-License-Identifier: Apache-2.0
// Linear algebra as users call it: what it returns, what it broadcasts, what it refuses, how it fails.
#include "tenure/execution/linear_algebra.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/providers.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/execution_error.hpp"
#include "tenure/tenure.hpp"

namespace {

using tenure::HostTensor;
using tenure::TypedTensor;
using Kind = tenure::ExecutionError::Kind;

tenure::Engine make_engine() {
  return tenure::test::open("cpu").engine({.pool = {.mode = tenure::PoolMode::poison}});
}

template <class T, int Rank = tenure::dynamic_rank>
HostTensor<T, Rank> tensor(tenure::AxisValues extents, std::vector<T> values) {
  return HostTensor<T, Rank>::from_vec_col_major(extents, std::move(values));
}

template <class A>
void check_values(const A& found, const std::vector<double>& expected) {
  const auto values = found.to_vec_col_major();
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == doctest::Approx(expected[i]));
}

template <class Detail, class Call>
bool refused(const Call& call) {
  try {
    call();
  } catch (const tenure::ValidationError& error) {
    return error.get_if<Detail>() != nullptr;
  }
  return false;
}

template <class Call>
void check_failure(const Call& call, Kind kind, std::int64_t pivot) {
  try {
    call();
    FAIL("should have thrown");
  } catch (const tenure::ExecutionError& error) {
    CHECK(error.kind() == kind);
    CHECK(error.pivot() == pivot);
    CHECK(error.cause() != nullptr);
  }
}

}  // namespace

TEST_SUITE("execution/linear_algebra") {
  TEST_CASE("results have the static types and ranks of their arguments") {
    const auto engine = make_engine();
    using Complex = std::complex<float>;
    const auto a = tensor<Complex, 2>({2, 2}, {2, {0, 1}, {0, -1}, 2});

    const auto l = engine.cholesky(a);
    static_assert(std::is_same_v<decltype(l), const TypedTensor<Complex, 2>>);
    const auto [values, vectors] = engine.eigh(a);
    static_assert(std::is_same_v<decltype(values), const TypedTensor<float, 1>>);
    static_assert(std::is_same_v<decltype(vectors), const TypedTensor<Complex, 2>>);
    const auto [factors, rows] = engine.lu(a);
    static_assert(std::is_same_v<decltype(rows), const TypedTensor<std::int64_t, 1>>);
    const auto erased = tenure::Tensor::from_vec_col_major<double>({1, 1}, {4});
    static_assert(std::is_same_v<decltype(engine.svd(erased).s), tenure::Tensor>);
    CHECK(engine.svd(erased).s.to_vec_col_major<double>() == std::vector<double>{4});
    check_values(values, {1, 3});
  }

  TEST_CASE("factors put together are the matrix again") {
    const auto engine = make_engine();
    const auto a = tensor<double, 2>({3, 2}, {1, 2, 3, 4, 5, 7});

    const auto [q, r] = engine.qr(a);
    check_values(engine.matmul(q, r), {1, 2, 3, 4, 5, 7});
    const auto [u, s, vh] = engine.svd(a);
    check_values(engine.matmul(engine.multiply(u, s.as_view().insert_axis(0)), vh), {1, 2, 3, 4, 5, 7});
    const auto [factors, rows] = engine.lu(a);
    const auto lower = engine.tril(factors, -1);
    const auto ones = engine.embed_diagonal(tensor<double, 1>({2}, {1, 1}));
    const auto unit = engine.pad(ones, {{0, 1}, {0, 0}}, 0.0);
    const auto upper = engine.triu(factors.as_view().slice(0, {.stop = 2}));
    const auto product = engine.matmul(engine.add(lower, unit), upper);
    CHECK(product.to_vec_col_major() ==
          engine.gather(a, rows.as_view().insert_axis(1), 0).to_vec_col_major());
  }

  TEST_CASE("solve takes strided operands, and batch axes of extent 1 broadcast") {
    const auto engine = make_engine();
    const auto a = tensor<double>({2, 2, 1}, {2, 1, 0, 4});
    const auto b = tensor<double>({2, 1, 2}, {2, 5, 4, 10});

    check_values(engine.solve(a, b), {1, 1, 2, 2});
    check_values(engine.triangular_solve(a, b), {1, 1, 2, 2});
    check_values(engine.solve(a.as_view().flip(0), b.as_view().flip(0)), {1, 1, 2, 2});
    check_values(engine.triangular_solve(a.as_view().permute({1, 0, 2}), b, {.is_upper = true}),
                 {0.375, 1.25, 0.75, 2.5});
    check_values(engine.triangular_solve(a, b, {.has_unit_diagonal = true}), {2, 3, 4, 6});
    auto out = tensor<double>({2, 1, 2}, {0, 0, 0, 0});
    engine.solve_into(a, b, out.as_view_mut().flip(2));
    CHECK(out.host_data()[0] == doctest::Approx(2));
    CHECK_THROWS_AS(engine.solve_into(a, out, out), tenure::DisjointError);
  }

  TEST_CASE("several outputs are written apart from each other and from the input") {
    const auto engine = make_engine();
    auto a = tensor<double>({2, 2}, {2, 0, 0, 1});
    auto values = tensor<double>({2}, {0, 0});
    auto vectors = tensor<double>({2, 2}, {0, 0, 0, 0});
    auto both = tensor<double>({2, 2}, {0, 0, 0, 0});
    auto long_values = tensor<double>({3}, {0, 0, 0});

    engine.eigh_into(a, values, vectors);
    CHECK(values.host_data()[0] == doctest::Approx(1));
    CHECK_THROWS_AS(engine.eigh_into(a, values, a), tenure::DisjointError);
    CHECK_THROWS_AS(engine.qr_into(a, both, both), tenure::DisjointError);
    CHECK(refused<tenure::ShapeMismatch>([&] { engine.eigh_into(a, long_values, vectors); }));
  }

  TEST_CASE("a matrix that lacks what is wanted fails with its pivot, and only the output is lost") {
    const auto engine = make_engine();
    const auto singular = tensor<double>({2, 2}, {1, 2, 2, 4});
    const auto indefinite = tensor<double>({2, 2}, {1, 2, 2, 1});
    const auto not_finite = tensor<double>({1, 1}, {std::numeric_limits<double>::quiet_NaN()});

    check_failure([&] { (void)engine.cholesky(indefinite); }, Kind::not_positive_definite, 1);
    check_failure([&] { (void)engine.solve(singular, indefinite); }, Kind::singular, 1);
    check_failure(
        [&] {
          (void)engine.triangular_solve(tensor<double>({1, 1}, {0}), not_finite);
        },
        Kind::singular, 0);
    check_failure([&] { (void)engine.eigh(not_finite); }, Kind::no_convergence, -1);
    check_failure([&] { (void)engine.svd(not_finite); }, Kind::no_convergence, -1);
    CHECK(engine.pool_statistics().live_count == 0);
    check_values(engine.lu(singular).factors, {2, 0.5, 4, 0});
    check_values(engine.solve(indefinite, indefinite), {1, 0, 0, 1});
  }

  TEST_CASE("shapes and element types that do not go together are refused before there is an output") {
    const auto engine = make_engine();
    const auto wide = tensor<double>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto square = tensor<double>({2, 2}, {1, 0, 0, 1});
    const auto vector = tensor<double>({2}, {1, 2});

    CHECK(refused<tenure::InvalidArgument>([&] { (void)engine.cholesky(wide); }));
    CHECK(refused<tenure::InvalidArgument>([&] { (void)engine.svd(vector); }));
    CHECK(refused<tenure::RankMismatch>([&] { (void)engine.solve(square, vector); }));
    CHECK(refused<tenure::PairedExtentMismatch>([&] {
      (void)engine.solve(square, tensor<double>({3, 1}, {1, 2, 3}));
    }));
    CHECK(refused<tenure::ShapeMismatch>([&] {
      (void)engine.solve(tensor<double>({1, 1, 2}, {1, 2}), tensor<double>({1, 1, 3}, {1, 2, 3}));
    }));
    CHECK(refused<tenure::DTypeMismatch>([&] { (void)engine.qr(tensor<std::int32_t>({1, 1}, {1})); }));
    CHECK_THROWS_AS((void)engine.qr(HostTensor<tenure::float16>::filled({1, 1}, tenure::float16(1))),
                    tenure::ExecutionError);
    CHECK(engine.pool_statistics().misses == 0);
  }
}
