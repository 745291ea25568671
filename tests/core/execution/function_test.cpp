// SPDX-License-Identifier: Apache-2.0
// The functions and reductions as users call them: what they return, and what they refuse.
#include "tenure/execution/function.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "core/execution/throws_validation.hpp"
#include "support/providers.hpp"
#include "tenure/base/execution_error.hpp"
#include "tenure/tenure.hpp"

namespace {

using tenure::HostTensor;
using tenure::TypedTensor;
using tenure::ValidationError;
using tenure_test::throws_validation;

tenure::Engine make_engine() { return tenure::test::open("cpu").engine({}); }

template <class T>
HostTensor<T> tensor(tenure::AxisValues extents, std::vector<T> values) {
  return HostTensor<T>::from_vec_col_major(extents, std::move(values));
}

template <class T, int Rank>
std::vector<T> values(const TypedTensor<T, Rank>& result) {
  return result.to_vec_col_major();
}

using Bytes = std::vector<std::uint8_t>;  // of bools, which no vector holds one by one
Bytes bytes(const tenure::Engine& engine, const TypedTensor<bool>& result) {
  return values(engine.cast<std::uint8_t>(result));
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_SUITE("execution/function") {
  TEST_CASE("functions keep the element type, logical ones are of bool") {
    const auto engine = make_engine();
    const auto a = tensor<double>({3}, {-1.5, 0.5, 2.5});

    CHECK(values(engine.round(a)) == std::vector<double>{-2, 0, 2});
    CHECK(values(engine.floor(a)) == std::vector<double>{-2, 0, 2});
    CHECK(values(engine.ceil(a)) == std::vector<double>{-1, 1, 3});
    CHECK(values(engine.sign(a)) == std::vector<double>{-1, 1, 1});
    CHECK(values(engine.reciprocal(a)) == std::vector<double>{1 / -1.5, 2, 0.4});
    CHECK(values(engine.log(engine.exp(a)))[0] == doctest::Approx(-1.5));
    CHECK(values(engine.log1p(engine.expm1(a)))[1] == doctest::Approx(0.5));
    CHECK(values(engine.tanh(a))[2] == doctest::Approx(std::tanh(2.5)));
    const auto is_negative = engine.less(a, 0);
    CHECK(bytes(engine, engine.logical_not(is_negative)) == Bytes{0, 1, 1});
    CHECK(bytes(engine, engine.logical_xor(is_negative, true)) == Bytes{0, 1, 1});
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.logical_and(a, a); }));
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.neg(is_negative); }));
  }

  TEST_CASE("conj changes the sign of the imaginary part, expm1 has no complex form") {
    const auto engine = make_engine();
    using Complex = std::complex<double>;
    const auto z = tensor<Complex>({2}, {{1, 2}, {0, -3}});

    CHECK(values(engine.conj(z)) == std::vector<Complex>{{1, -2}, {0, 3}});
    CHECK(values(engine.conj(tensor<int>({1}, {4}))) == std::vector<int>{4});
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.expm1(z); }));
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.maximum(z, z); }));
  }

  TEST_CASE("a remainder has the sign of the dividend, as division drops the fraction") {
    const auto engine = make_engine();
    const auto a = tensor<int>({4}, {7, -7, 7, -7});
    const auto b = tensor<int>({4}, {3, 3, -3, -3});

    CHECK(values(engine.remainder(a, b)) == std::vector<int>{1, -1, 1, -1});
    CHECK(values(engine.add(engine.multiply(engine.divide(a, b), b), engine.remainder(a, b))) ==
          values(engine.copy(a)));
    CHECK(values(engine.remainder(tensor<double>({1}, {-5.5}), 2)) == std::vector<double>{-1.5});
    CHECK(values(engine.remainder(tensor<int>({1}, {std::numeric_limits<int>::min()}), -1)) ==
          std::vector<int>{0});
  }

  TEST_CASE("divisors of zero and negative exponents of integers are refused before anything is written") {
    const auto engine = make_engine();
    const auto a = tensor<int>({3}, {2, 3, 4});
    auto out = tensor<int>({3}, {9, 9, 9});
    for (const auto function :
         {tenure::Function::remainder, tenure::Function::divide, tenure::Function::pow}) {
      const int bad = function == tenure::Function::pow ? -1 : 0;
      try {
        engine.apply_into(function, {tenure::TensorRead(a), tenure::Scalar(bad)}, out);
        FAIL("should have thrown");
      } catch (const tenure::ExecutionError& error) {
        CHECK(error.kind() == tenure::ExecutionError::Kind::refused);
      }
    }
    CHECK(values(engine.copy(out)) == std::vector<int>{9, 9, 9});
    CHECK(values(engine.pow(a, 3)) == std::vector<int>{8, 27, 64});
    CHECK(values(engine.pow(tensor<unsigned char>({1}, {3}), 5)) == std::vector<unsigned char>{243});
  }

  TEST_CASE("clamp takes scalars and tensors as bounds, and NaN stays NaN") {
    const auto engine = make_engine();
    const auto a = tensor<double>({4}, {-2, 0.5, 7, not_a_number});
    const auto high = tensor<double>({1}, {1});

    const auto held = engine.clamp(a, -1, high);
    static_assert(std::is_same_v<decltype(held), const TypedTensor<double>>);
    CHECK(values(held)[0] == -1);
    CHECK(values(held)[1] == 0.5);
    CHECK(values(held)[2] == 1);
    CHECK(std::isnan(values(held)[3]));
    auto target = tensor<double>({4}, {0, 0, 0, 0});
    engine.clamp_into(a, 0, 1, target);
    CHECK(target(2) == 1);
  }

  TEST_CASE("clamp names itself when it refuses") {
    const auto engine = make_engine();
    const auto a = tensor<double>({2}, {1, 2});
    const auto shorter = tenure::Tensor::from_vec_col_major<float>({2}, {1, 2});
    const std::vector<std::function<void()>> refusals = {
        [&] { (void)engine.clamp(a, shorter, 3); },
        [&] {
          (void)engine.clamp(a, 0, tensor<double>({3}, {1, 2, 3}));
        },
        [&] { (void)engine.clamp(tensor<int>({1}, {1}), 0.5, 3); },
        [&] { (void)engine.clamp(HostTensor<bool>::filled({2}, true), false, true); }};
    for (const auto& refusal : refusals) {
      try {
        refusal();
        FAIL("should have thrown");
      } catch (const ValidationError& error) {
        CHECK(std::string(error.what()).find("clamp") != std::string::npos);
      }
    }
  }

  TEST_CASE("places are counted over the reduced axes, the first one fastest") {
    const auto engine = make_engine();
    const auto a = tensor<float>({2, 3}, {1, 5, 5, 2, 0, 5});

    const auto place = engine.argmax(a);
    static_assert(std::is_same_v<decltype(place), const TypedTensor<std::int64_t>>);
    CHECK(values(place) == std::vector<std::int64_t>{1});
    CHECK(values(engine.argmax(a, {.axes = {1}})) == std::vector<std::int64_t>{1, 0});
    CHECK(values(engine.argmin(a, {.axes = {0}, .keep_axes = true})) == std::vector<std::int64_t>{0, 1, 0});
    CHECK(throws_validation<tenure::InvalidArgument>([&] { (void)engine.argmax(tensor<float>({0}, {})); }));
  }

  TEST_CASE("reductions of bool, products and norms have the types that their rows say") {
    const auto engine = make_engine();
    const auto a = tensor<float>({3}, {3, 4, 12});
    const auto z = tensor<std::complex<float>>({2}, {{3, 4}, {0, 12}});

    CHECK(values(engine.norm2(a)) == std::vector<float>{13});
    CHECK(values(engine.norm2(z)) == std::vector<float>{13});
    CHECK(values(engine.prod(a)) == std::vector<float>{144});
    CHECK(bytes(engine, engine.all(engine.greater(a, 3))) == Bytes{0});
    CHECK(bytes(engine, engine.any(engine.greater(a, 3))) == Bytes{1});
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.all(a); }));
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.sum(engine.greater(a, 3)); }));
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.norm2(tensor<int>({1}, {4})); }));
    auto wrong = tensor<float>({}, {0});
    CHECK(throws_validation<tenure::DTypeMismatch>(
        [&] { engine.reduce_into(tenure::Reduction::argmax, a, wrong); }));
  }

  TEST_CASE("an untyped tensor gives untyped results of the right element type") {
    const auto engine = make_engine();
    const auto a = tenure::Tensor::from_vec_col_major<float>({2}, {1, -2});

    CHECK(engine.argmin(a).dtype() == tenure::i64);
    CHECK(engine.norm2(a).dtype() == tenure::f32);
    CHECK(engine.all(engine.less(a, 2)).dtype() == tenure::boolean);
    CHECK(engine.clamp(a, 0, 1).dtype() == tenure::f32);
  }
}
