// SPDX-License-Identifier: Apache-2.0
// What an engine says that it computes.
#include <doctest/doctest.h>

#include "support/providers.hpp"
#include "tenure/tenure.hpp"

namespace {

tenure::Engine make_engine() { return tenure::test::open("cpu").engine({}); }

}  // namespace

TEST_SUITE("execution/support") {
  TEST_CASE("supports answers for every family") {
    using tenure::Decomposition;
    using tenure::Operation;
    const auto engine = make_engine();
    CHECK(engine.supports(Operation::copy, {tenure::f64, tenure::f64}));
    CHECK(engine.supports(Operation::cast, {tenure::f64, tenure::i8}));
    CHECK(engine.supports(Operation::fill, {tenure::boolean}));
    CHECK(engine.supports(Operation::contract, {tenure::f32, tenure::f32, tenure::f32}));
    CHECK(engine.supports(Operation::gather, {tenure::f64, tenure::i64, tenure::f64}));
    CHECK(engine.supports(Operation::scatter, {tenure::i64, tenure::f64, tenure::f64}));
    CHECK(engine.supports(Operation::triangle, {tenure::f64, tenure::f64}));
    CHECK_FALSE(engine.supports(Operation::gather, {tenure::f64, tenure::i32, tenure::f64}));
    CHECK(engine.supports(Decomposition::svd, {tenure::f64, tenure::f64, tenure::f64, tenure::f64}));
    CHECK(engine.supports(Decomposition::cholesky, {tenure::complex64, tenure::complex64}));
    CHECK_FALSE(engine.supports(Decomposition::cholesky, {tenure::i32, tenure::i32}));
    CHECK_THROWS_AS((void)engine.supports(static_cast<Operation>(99), {tenure::f64}),
                    tenure::ValidationError);
    CHECK_THROWS_AS((void)engine.supports(static_cast<Operation>(4), {tenure::f64}), tenure::ValidationError);
    CHECK_THROWS_AS((void)engine.supports(static_cast<Decomposition>(0), {tenure::f64}),
                    tenure::ValidationError);
  }
}
