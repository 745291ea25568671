// SPDX-License-Identifier: Apache-2.0
// What the errors of operations say: whose they are, which operand is meant, and what to do.
#include <doctest/doctest.h>

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "core/execution/throws_validation.hpp"
#include "support/providers.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/tenure.hpp"

namespace {

using tenure::HostTensor;
using tenure::ValidationError;
using tenure_test::throws_validation;

tenure::Engine make_engine() { return tenure::test::open("cpu").engine({}); }

HostTensor<double> tensor(tenure::AxisValues extents, std::vector<double> values) {
  return HostTensor<double>::from_vec_col_major(extents, std::move(values));
}

}  // namespace

TEST_SUITE("execution/operation_error") {
  TEST_CASE(
      "an overlap at different indices is shown by two of them, of the output and of a numbered input") {
    const auto engine = make_engine();
    auto a = tensor({2, 2}, {1, 2, 3, 4});
    const auto state = tenure::StateAccess::state(a).view();
    const auto transposed =
        tenure::StateAccess::make<tenure::TensorView>(state.with_layout(state.layout().transposed()));
    const auto other = tensor({2, 2}, {0, 0, 0, 0});
    for (const std::size_t number : {0u, 1u}) {
      try {
        if (number == 0) {
          engine.add_into(transposed, 1, a);
        } else {
          engine.where_into(engine.greater(other, 1), transposed, 1, a);
        }
        FAIL("should have thrown");
      } catch (const tenure::DisjointError& error) {
        CHECK(error.operation() == (number == 0 ? "add_into" : "where_into"));
        CHECK(error.rule() == tenure::DisjointError::Rule::same_index);
        CHECK(error.operands().first ==
              tenure::DisjointError::Operand{tenure::DisjointError::Role::output, 0});
        CHECK(error.operands().second ==
              tenure::DisjointError::Operand{tenure::DisjointError::Role::input, number});
        REQUIRE(error.witness() != nullptr);
        CHECK(error.witness()->first != error.witness()->second);
        CHECK(state.layout().find_element(error.witness()->first) ==
              transposed.layout().find_element(error.witness()->second));
      }
    }
    CHECK(a.to_vec_col_major() == std::vector<double>{1, 2, 3, 4});
  }

  TEST_CASE("an input that broadcasts over its own output is refused, with indices of the output") {
    const auto engine = make_engine();
    auto a = tensor({3}, {1, 2, 3});
    const auto state = tenure::StateAccess::state(a).view();
    const auto first = tenure::StateAccess::make<tenure::TensorView>(
        state.with_layout(state.layout().slice(0, {.stop = 1})));
    try {
      engine.multiply_into(a, first, a);
      FAIL("should have thrown");
    } catch (const tenure::DisjointError& error) {
      CHECK(error.operands().second.number == 1);
      REQUIRE(error.witness() != nullptr);
      CHECK(error.witness()->first == tenure::ElementIndex{0});
      CHECK(error.witness()->second != error.witness()->first);
    }
  }

  TEST_CASE("a destination of another element size may lie on an input index by index") {
    const auto engine = make_engine();
    using Complex = std::complex<double>;
    auto z = HostTensor<Complex>::from_vec_col_major({3}, {{3, 4}, {0, 1}, {-6, 8}});
    const auto state = tenure::StateAccess::state(z).view();
    const auto real_parts = tenure::StateAccess::make<tenure::TensorViewMut>(
        state.as_real().with_layout(state.layout().as_real().select(0, 0)));
    engine.abs_into(z, real_parts);
    CHECK(z.to_vec_col_major() == std::vector<Complex>{{5, 4}, {1, 1}, {10, 8}});
  }

  TEST_CASE("errors name the function that was called") {
    const auto engine = make_engine();
    const auto a = tensor({4}, {1, 2, 3, 4});
    const auto square = tensor({2, 2}, {2, 0, 0, 2});
    const auto places = HostTensor<std::int64_t>::filled({1}, 0);
    auto small = tensor({3}, {0, 0, 0});
    const auto name_of = [](const std::function<void()>& call) {
      try {
        call();
      } catch (const tenure::Error& error) {
        return std::string(error.operation());
      }
      return std::string("nothing");
    };
    CHECK(name_of([&] { engine.add_into(a, a, small); }) == "add_into");
    CHECK(name_of([&] { engine.neg_into(a, small); }) == "neg_into");
    CHECK(name_of([&] { engine.where_into(engine.less(a, 2), a, a, small); }) == "where_into");
    CHECK(name_of([&] { engine.clamp_into(a, 0, 1, small); }) == "clamp_into");
    CHECK(name_of([&] { (void)engine.add(a, small); }) == "add");
    CHECK(name_of([&] {
            (void)engine.apply(tenure::Function::add, {tenure::TensorRead(a), tenure::TensorRead(small)});
          }) == "apply(add)");
    CHECK(name_of([&] { engine.apply_into(tenure::Function::neg, {tenure::TensorRead(a)}, small); }) ==
          "apply_into(neg)");
    CHECK(name_of([&] { engine.reduce_into(tenure::Reduction::sum, a, small); }) == "reduce_into(sum)");
    CHECK(name_of([&] { (void)engine.sum(a, {.axes = {3}}); }) == "sum");
    CHECK(name_of([&] { (void)engine.reduce(tenure::Reduction::max, a, {.axes = {3}}); }) == "reduce(max)");
    CHECK(name_of([&] { engine.concatenate_into({a, a}, 0, small); }) == "concatenate_into");
    CHECK(name_of([&] { engine.pad_into(a, {{1, 1}}, 0, small); }) == "pad_into");
    CHECK(name_of([&] { engine.reverse_into(a, small); }) == "reverse_into");
    CHECK(name_of([&] { engine.embed_diagonal_into(a, small); }) == "embed_diagonal_into");
    CHECK(name_of([&] { engine.gather_into(a, places, 0, small); }) == "gather_into");
    CHECK(name_of([&] { engine.scatter_into(places, square, 0, small); }) == "scatter_into");
    CHECK(name_of([&] { engine.tril_into(square, small); }) == "tril_into");
    CHECK(name_of([&] { engine.triu_into(square, small); }) == "triu_into");
    CHECK(name_of([&] { engine.cholesky_into(square, small); }) == "cholesky_into");
    CHECK(name_of([&] { engine.solve_into(square, square, small); }) == "solve_into");
    CHECK(name_of([&] { engine.matmul_into(square, square, small); }) == "matmul_into");
    CHECK(name_of([&] { engine.copy_into(a, small); }) == "copy_into");
    CHECK(name_of([&] { engine.cast_into(a, small); }) == "cast_into");
  }

  TEST_CASE("an engine that was moved from names what was asked of it") {
    auto engine = make_engine();
    const auto kept = std::move(engine);
    const auto name_of = [](const std::function<void()>& call) {
      try {
        call();
      } catch (const tenure::EmptyOwner& error) {
        return std::string(error.operation());
      }
      return std::string("nothing");
    };
    CHECK(name_of([&] { (void)engine.domain(); }) == "Engine::domain");
    CHECK(name_of([&] { (void)engine.pool(); }) == "Engine::pool");
    CHECK(name_of([&] { (void)engine.pool_statistics(); }) == "Engine::pool_statistics");
  }

  TEST_CASE("what does not fit a destination is said of the destination, with what to do") {
    const auto engine = make_engine();
    const auto a = tensor({4}, {1, 2, 3, 4});
    auto small = tensor({3}, {0, 0, 0});
    auto narrow = HostTensor<float>::filled({4}, 0);
    const auto words_of = [](const std::function<void()>& call) {
      try {
        call();
      } catch (const ValidationError& error) {
        return std::string(error.message());
      }
      return std::string("nothing");
    };
    CHECK(
        words_of([&] { engine.neg_into(a, small); }) ==
        "expected a destination of the extents [4], found one of [3]; give one of exactly the extents of the "
        "result, for it is never resized");
    CHECK(words_of([&] {
            engine.neg_into(a, narrow);
          }).find("expected a destination of dtype f64, found one of f32") == 0);
    CHECK(words_of([&] {
            (void)engine.sum(HostTensor<bool>::filled({2}, true));
          }).find("a bool is no number: cast it to one, or use all, any") != std::string::npos);
    CHECK(words_of([&] { (void)engine.all(a); }).find("expected dtype bool, found f64; cast") == 0);
  }

  TEST_CASE("modes outside of their enums are typed errors") {
    const auto instance = tenure::test::open("cpu");
    CHECK(throws_validation<tenure::InvalidArgument>(
        [&] { (void)instance.engine({.mode = static_cast<tenure::EngineMode>(9)}); }));
    CHECK(throws_validation<tenure::InvalidArgument>(
        [&] { (void)instance.engine({.pool = {.mode = static_cast<tenure::PoolMode>(9)}}); }));
    CHECK(throws_validation<tenure::InvalidArgument>([&] {
      (void)tenure::Registry().try_load("none.so",
                                        {.policy = static_cast<tenure::PathPolicy>(9), .alias = {}});
    }));
  }
}
