// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <thread>

#include "box.hpp"
#include "cpu_plugin.hpp"

namespace cpu_test {
namespace {

using Complex = std::complex<long double>;

Complex to_complex(const Number& number) { return {number.re, number.im}; }

void set_moderate(Random& random, Box& box) {
  for (std::int64_t i = 0; i < box.count(); ++i) {
    std::uniform_real_distribution<double> real(-1.0, 1.0);
    box.set(i, {real(random), real(random)});
  }
}

tenure_scalar scalar(Dtype dtype, const Number& number) {
  tenure_scalar result{};
  result.dtype = to_abi(dtype);
  write_number(dtype, number, reinterpret_cast<std::byte*>(result.value));
  return result;
}

// A contraction with its axes in random places.
struct Case {
  Dtype dtype;
  Extents left, right, out;
  std::vector<std::uint32_t> left_contracted, right_contracted, left_batch, right_batch;
  Number alpha{1, 0};
  Number beta{0, 0};
  std::uint32_t flags = 0;

  tenure_contract_attributes attributes() const {
    auto attributes = tenure::abi::make_struct<tenure_contract_attributes>();
    attributes.contracted_count = static_cast<std::uint32_t>(left_contracted.size());
    attributes.batch_count = static_cast<std::uint32_t>(left_batch.size());
    attributes.left_contracted = left_contracted.data();
    attributes.right_contracted = right_contracted.data();
    attributes.left_batch = left_batch.data();
    attributes.right_batch = right_batch.data();
    attributes.alpha = scalar(dtype, alpha);
    attributes.beta = scalar(dtype, beta);
    attributes.flags = flags;
    return attributes;
  }
};

bool is_listed(const std::vector<std::uint32_t>& axes, std::size_t axis) {
  return std::ranges::find(axes, static_cast<std::uint32_t>(axis)) != axes.end();
}

void find_out_extents(Case& made) {
  made.out.clear();
  for (std::size_t axis = 0; axis < made.left.size(); ++axis) {
    if (!is_listed(made.left_contracted, axis) && !is_listed(made.left_batch, axis))
      made.out.push_back(made.left[axis]);
  }
  for (std::size_t axis = 0; axis < made.right.size(); ++axis) {
    if (!is_listed(made.right_contracted, axis) && !is_listed(made.right_batch, axis))
      made.out.push_back(made.right[axis]);
  }
  for (const std::uint32_t axis : made.left_batch) made.out.push_back(made.left[axis]);
}

Case random_case(Random& random, Dtype dtype, std::int64_t extent_max) {
  Case made;
  made.dtype = dtype;
  struct Axis {
    char group;
    std::int64_t extent;
    std::uint32_t number;
  };
  std::vector<Axis> left, right;
  const auto add = [&](char group, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Axis axis{group, random() % 24 == 0 ? 0 : pick(random, 1, extent_max),
                      static_cast<std::uint32_t>(i)};
      if (group != 'r') left.push_back(axis);
      if (group != 'l') right.push_back(axis);
    }
  };
  add('l', pick(random, 0, 2));
  add('r', pick(random, 0, 2));
  add('c', pick(random, 0, 2));
  add('b', pick(random, 0, 2));
  std::shuffle(left.begin(), left.end(), random);
  std::shuffle(right.begin(), right.end(), random);
  const auto find = [](const std::vector<Axis>& axes, char group, std::uint32_t number) {
    return static_cast<std::uint32_t>(
        std::ranges::find_if(axes, [&](const Axis& a) { return a.group == group && a.number == number; }) -
        axes.begin());
  };
  for (const Axis& axis : left) {
    made.left.push_back(axis.extent);
    if (axis.group == 'c') {
      made.left_contracted.push_back(find(left, 'c', axis.number));
      made.right_contracted.push_back(find(right, 'c', axis.number));
    } else if (axis.group == 'b') {
      made.left_batch.push_back(find(left, 'b', axis.number));
      made.right_batch.push_back(find(right, 'b', axis.number));
    }
  }
  for (const Axis& axis : right) made.right.push_back(axis.extent);
  find_out_extents(made);
  made.flags = static_cast<std::uint32_t>(random() % 4);
  if (random() % 2 == 0) made.alpha = {0.5L, tenure::abi::is_complex(to_abi(dtype)) ? 2.0L : 0.0L};
  if (random() % 2 == 0) made.beta = {-2, 0};
  if (random() % 8 == 0) made.alpha = {0, 0};
  return made;
}

std::int64_t position_of(const Extents& index, const Extents& extents) {
  std::int64_t position = 0;
  for (std::size_t axis = extents.size(); axis-- > 0;) position = position * extents[axis] + index[axis];
  return position;
}

struct ExpectedSum {
  Complex value;
  long double size = 0;  // of all terms together
};

// out, computed by one sum after another.
std::vector<ExpectedSum> expected_out(const Case& made, const Box& left, const Box& right, const Box& out) {
  std::vector<ExpectedSum> expected;
  std::int64_t terms = 1;
  for (const std::uint32_t axis : made.left_contracted) terms *= made.left[axis];
  for (std::int64_t position = 0; position < out.count(); ++position) {
    Extents index;
    std::int64_t rest = position;
    for (const std::int64_t extent : made.out) {
      index.push_back(rest % extent);
      rest /= extent;
    }
    std::size_t next = 0;
    Extents left_index(made.left.size()), right_index(made.right.size());
    for (std::size_t axis = 0; axis < made.left.size(); ++axis) {
      if (!is_listed(made.left_contracted, axis) && !is_listed(made.left_batch, axis))
        left_index[axis] = index[next++];
    }
    for (std::size_t axis = 0; axis < made.right.size(); ++axis) {
      if (!is_listed(made.right_contracted, axis) && !is_listed(made.right_batch, axis))
        right_index[axis] = index[next++];
    }
    for (std::size_t i = 0; i < made.left_batch.size(); ++i) {
      left_index[made.left_batch[i]] = index[next];
      right_index[made.right_batch[i]] = index[next++];
    }
    Complex sum;
    long double size = 0;
    for (std::int64_t term = 0; term < terms; ++term) {
      std::int64_t left_over = term;
      for (std::size_t i = 0; i < made.left_contracted.size(); ++i) {
        const std::int64_t extent = made.left[made.left_contracted[i]];
        left_index[made.left_contracted[i]] = right_index[made.right_contracted[i]] = left_over % extent;
        left_over /= extent;
      }
      Complex a = to_complex(left.get(position_of(left_index, made.left)));
      Complex b = to_complex(right.get(position_of(right_index, made.right)));
      if ((made.flags & TENURE_CONTRACT_CONJUGATE_LEFT) != 0) a = std::conj(a);
      if ((made.flags & TENURE_CONTRACT_CONJUGATE_RIGHT) != 0) b = std::conj(b);
      sum += a * b;
      size += std::abs(a) * std::abs(b);
    }
    const Complex old = to_complex(made.beta) * to_complex(out.get(position));
    expected.push_back(
        {to_complex(made.alpha) * sum + old, std::abs(to_complex(made.alpha)) * size + std::abs(old)});
  }
  return expected;
}

void check_case(Random& random, const Engine& engine, const Case& made) {
  Box left(random, made.dtype, made.left, random_layout(random, true));
  Box right(random, made.dtype, made.right, random_layout(random, true));
  Box out(random, made.dtype, made.out, random_layout(random, false));
  for (Box* const box : {&left, &right, &out}) set_moderate(random, *box);
  const std::vector<ExpectedSum> expected = expected_out(made, left, right, out);
  // beta 0 does not read what is there.
  if (made.beta.re == 0) {
    for (std::int64_t i = 0; i < out.count(); ++i)
      out.set(i, {std::numeric_limits<long double>::quiet_NaN(), 0});
  }
  const Box before = out;
  const tenure_contract_attributes attributes = made.attributes();
  const Outcome outcome = engine.execute(
      TENURE_OP_CONTRACT, std::array{left.operand(1), right.operand(1), out.operand(2)}, &attributes);
  INFO(outcome.message);
  REQUIRE(outcome.code == TENURE_OK);
  REQUIRE(out.differs_only_in_elements(before));
  const long double unit = std::ldexp(1.0L, 1 - precision_of(made.dtype).mantissa_bits);
  for (std::int64_t i = 0; i < out.count(); ++i) {
    const auto& [wanted, size] = expected[static_cast<std::size_t>(i)];
    CAPTURE(out.get(i).re);
    CAPTURE(wanted.real());
    REQUIRE(std::abs(to_complex(out.get(i)) - wanted) <= 64 * unit * size);
  }
}

Case matrix_case(Dtype dtype, std::int64_t m, std::int64_t k, std::int64_t n) {
  Case made;
  made.dtype = dtype;
  made.left = {m, k};
  made.right = {k, n};
  made.out = {m, n};
  made.left_contracted = {1};
  made.right_contracted = {0};
  return made;
}

}  // namespace

TEST_CASE("Contract: any batch, free and contracted axes, any strides, of every dtype that BLAS has") {
  Random random(1);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  for (const char* const name : {"f32", "f64", "complex64", "complex128"}) {
    for (int round = 0; round < 100; ++round) {
      CAPTURE(name);
      CAPTURE(round);
      check_case(random, round % 2 == 0 ? serial : parallel,
                 random_case(random, dtype_named(name), round % 3 == 0 ? 7 : 4));
    }
  }
}

// Small products have kernels of their own: blocks of registers and what is left beside them.
TEST_CASE("Contract: small products of any extents, strides and scalars at every ISA level") {
  Random random(7);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (const char* const name : {"f32", "f64", "complex64", "complex128"}) {
      for (int round = 0; round < 60; ++round) {
        CAPTURE(level);
        CAPTURE(name);
        CAPTURE(round);
        Case made =
            matrix_case(dtype_named(name), pick(random, 1, 40), pick(random, 1, 12), pick(random, 1, 13));
        if (round % 2 == 0) std::swap(made.left[0], made.right[1]);
        find_out_extents(made);
        made.flags = static_cast<std::uint32_t>(random() % 4);
        if (random() % 2 == 0) made.alpha = {0.5L, tenure::abi::is_complex(to_abi(made.dtype)) ? 2.0L : 0.0L};
        if (random() % 2 == 0) made.beta = {-2, 0};
        check_case(random, engine, made);
      }
    }
  }
}

TEST_CASE("Contract: where small products lie does not change their bits") {
  Random random(8);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : {"f32", "f64", "complex64", "complex128"}) {
    for (const bool is_zero : {false, true}) {
      Case made = matrix_case(dtype_named(name), 13, 9, 11);
      made.alpha = {-1, 0};
      const tenure_contract_attributes attributes = made.attributes();
      std::vector<std::byte> first;
      for (int round = 0; round < 20; ++round) {
        const Layout layout = round == 0 ? Layout::compact : Layout::permuted;
        Box left(random, made.dtype, made.left, layout);
        Box right(random, made.dtype, made.right, layout);
        Box out(random, made.dtype, made.out, layout);
        Random values(9);
        for (Box* const box : {&left, &right}) set_moderate(values, *box);
        // The product of zeros with alpha is -0, also where it is put one by one.
        for (std::int64_t at = 0; is_zero && at < left.count(); ++at) left.set(at, {0, 0});
        for (std::int64_t at = 0; is_zero && at < right.count(); ++at) right.set(at, {1, 0});
        REQUIRE(engine
                    .execute(TENURE_OP_CONTRACT,
                             std::array{left.operand(1), right.operand(1), out.operand(2)}, &attributes)
                    .code == TENURE_OK);
        if (first.empty()) first = out.bytes();
        CHECK(out.bytes() == first);
      }
    }
  }
}

TEST_CASE("Contract: tiles of large matrices fit together") {
  Random random(2);
  const Instance instance;
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  check_case(random, parallel, matrix_case(dtype_named("f64"), 300, 8, 260));
  check_case(random, parallel, matrix_case(dtype_named("f32"), 3, 5000, 4));
  check_case(random, parallel, matrix_case(dtype_named("f64"), 1030, 3, 5));
}

TEST_CASE("Contract: serial and parallel engines give the same bits") {
  Random random(3);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 3);
  for (const char* const name : {"f32", "f64", "complex64"}) {
    const Case made = matrix_case(dtype_named(name), 301, 150, 290);
    Box left(random, made.dtype, made.left);
    Box right(random, made.dtype, made.right, Layout::permuted);
    for (Box* const box : {&left, &right}) set_moderate(random, *box);
    Box first(random, made.dtype, made.out);
    Box second(random, made.dtype, made.out);
    const tenure_contract_attributes attributes = made.attributes();
    REQUIRE(serial
                .execute(TENURE_OP_CONTRACT, std::array{left.operand(1), right.operand(1), first.operand(2)},
                         &attributes)
                .code == TENURE_OK);
    REQUIRE(parallel
                .execute(TENURE_OP_CONTRACT, std::array{left.operand(1), right.operand(1), second.operand(2)},
                         &attributes)
                .code == TENURE_OK);
    CHECK(first.bytes() == second.bytes());
  }
}

TEST_CASE("Contract: alpha 0 does not read the operands, and no terms make a sum of 0") {
  Random random(4);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : {"f32", "f64", "complex64", "complex128"}) {
    Case made = matrix_case(dtype_named(name), 20, 30, 10);
    made.alpha = {0, 0};
    Box left(random, made.dtype, made.left);
    Box right(random, made.dtype, made.right);
    left.set(5, {std::numeric_limits<long double>::quiet_NaN(), 0});
    for (const long double beta : {0.0L, 1.0L, 3.0L}) {
      made.beta = {beta, 0};
      Box out(random, made.dtype, made.out, Layout::permuted);
      set_moderate(random, out);
      const Box before = out;
      const tenure_contract_attributes attributes = made.attributes();
      REQUIRE(engine
                  .execute(TENURE_OP_CONTRACT, std::array{left.operand(1), right.operand(1), out.operand(2)},
                           &attributes)
                  .code == TENURE_OK);
      for (std::int64_t i = 0; i < out.count(); ++i) {
        CHECK(std::fabs(out.get(i).re - beta * before.get(i).re) <=
              ulp_of(beta * before.get(i).re, precision_of(made.dtype)));
      }
    }
    const Case empty = matrix_case(dtype_named(name), 4, 0, 3);
    Box no_left(random, empty.dtype, empty.left);
    Box no_right(random, empty.dtype, empty.right);
    Box out(random, empty.dtype, empty.out);
    const tenure_contract_attributes attributes = empty.attributes();
    REQUIRE(engine
                .execute(TENURE_OP_CONTRACT,
                         std::array{no_left.operand(1), no_right.operand(1), out.operand(2)}, &attributes)
                .code == TENURE_OK);
    for (std::int64_t i = 0; i < out.count(); ++i) CHECK(same_number(out.get(i), {0, 0}));
  }
}

TEST_CASE("Contract: many threads may multiply at once") {
  Random random(5);
  const Instance instance;
  const Engine engine(instance);
  const Case made = matrix_case(dtype_named("f64"), 60, 70, 50);
  Box left(random, made.dtype, made.left);
  Box right(random, made.dtype, made.right);
  for (Box* const box : {&left, &right}) set_moderate(random, *box);
  std::vector<Box> outs(4, Box(random, made.dtype, made.out));
  const tenure_contract_attributes attributes = made.attributes();
  {
    std::vector<std::jthread> threads;
    for (Box& out : outs) {
      threads.emplace_back([&] {
        for (int i = 0; i < 30; ++i) {
          engine.execute(TENURE_OP_CONTRACT, std::array{left.operand(1), right.operand(1), out.operand(2)},
                         &attributes);
        }
      });
    }
  }
  for (const Box& out : outs) CHECK(out.bytes() == outs[0].bytes());
}

TEST_CASE("Contract: axes, extents, dtypes and scalars that do not fit are refused in words") {
  Random random(6);
  const Instance instance;
  const Engine engine(instance);
  const Case good = matrix_case(dtype_named("f64"), 3, 4, 5);
  const auto refused = [&](const Case& made, std::int32_t code) {
    const Box left(random, made.dtype, made.left);
    const Box right(random, made.dtype, made.right);
    Box out(random, made.dtype, made.out);
    const std::vector<std::byte> before = out.bytes();
    const tenure_contract_attributes attributes = made.attributes();
    const Outcome outcome = engine.execute(
        TENURE_OP_CONTRACT, std::array{left.operand(1), right.operand(1), out.operand(2)}, &attributes);
    INFO(outcome.message);
    CHECK(outcome.code == code);
    CHECK_FALSE(outcome.message.empty());
    CHECK(out.bytes() == before);
  };
  Case made = good;
  made.left_contracted = {2};
  refused(made, TENURE_INVALID_ARGUMENT);
  made = good;
  made.left_contracted = {1, 1};
  made.right_contracted = {0, 0};
  refused(made, TENURE_INVALID_ARGUMENT);
  made = good;
  made.right = {5, 5};
  refused(made, TENURE_INVALID_ARGUMENT);
  made = good;
  made.out = {3, 6};
  refused(made, TENURE_INVALID_ARGUMENT);
  made = good;
  made.out = {3, 5, 1};
  refused(made, TENURE_INVALID_ARGUMENT);
  made = good;
  made.dtype = dtype_named("i32");
  refused(made, TENURE_UNIMPLEMENTED);

  const Box left(random, good.dtype, good.left);
  const Box right(random, good.dtype, good.right);
  Box out(random, good.dtype, good.out);
  tenure_contract_attributes attributes = good.attributes();
  attributes.alpha = scalar(dtype_named("f32"), {1, 0});
  CHECK(engine
            .execute(TENURE_OP_CONTRACT, std::array{left.operand(1), right.operand(1), out.operand(2)},
                     &attributes)
            .code == TENURE_INVALID_ARGUMENT);

  const tenure_dtype f64 = to_abi(dtype_named("f64"));
  const tenure_dtype i64 = to_abi(dtype_named("i64"));
  CHECK(engine.supports(TENURE_OP_CONTRACT, 0, {f64, f64, f64}));
  CHECK_FALSE(engine.supports(TENURE_OP_CONTRACT, 0, {i64, i64, i64}));
  CHECK_FALSE(engine.supports(TENURE_OP_CONTRACT, 0, {f64, i64, f64}));
}

}  // namespace cpu_test
