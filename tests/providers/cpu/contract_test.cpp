// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <thread>
#include <utility>

#include "box.hpp"
#include "contraction.hpp"
#include "cpu_plugin.hpp"

namespace cpu_test {
namespace {

constexpr const char* floating_dtypes[] = {"f32", "f64", "complex64", "complex128"};
constexpr const char* product_dtypes[] = {"f32", "f64", "complex64", "complex128", "i8",  "i16",
                                          "i32", "i64", "u8",        "u16",        "u32", "u64"};

// The bits that the dtype has of each sum.
void check_integers(const Box& out, const std::vector<ExpectedSum>& expected) {
  const auto unused_bits = 64 - 8 * bytes_of(out.dtype());
  for (std::int64_t i = 0; i < out.count(); ++i) {
    CAPTURE(i);
    const std::uint64_t wanted = expected[static_cast<std::size_t>(i)].wrapped;
    const std::uint64_t found = wrap(out.get(i));
    REQUIRE((found << unused_bits) == (wanted << unused_bits));
  }
}

void check_case(Random& random, const Engine& engine, const Contraction& made) {
  Box left(random, made.dtype, made.left, random_layout(random, true));
  Box right(random, made.dtype, made.right, random_layout(random, true));
  Box out(random, made.dtype, made.out, random_layout(random, false));
  for (Box* const box : {&left, &right, &out}) set_moderate(random, *box);
  const std::vector<ExpectedSum> expected = expected_out(made, left, right, out);
  // beta 0 does not read what is there.
  if (made.beta.re == 0 && !is_integer(made.dtype)) {
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
  if (is_integer(made.dtype)) return check_integers(out, expected);
  const long double unit = std::ldexp(1.0L, 1 - precision_of(made.dtype).mantissa_bits);
  for (std::int64_t i = 0; i < out.count(); ++i) {
    const auto& [wanted, size, wrapped] = expected[static_cast<std::size_t>(i)];
    CAPTURE(out.get(i).re);
    CAPTURE(wanted.real());
    REQUIRE(std::abs(to_complex(out.get(i)) - wanted) <= 64 * unit * size);
  }
}

void check_same_bits(Random& random, const Engine& serial, const Engine& parallel, const Contraction& made) {
  Box left(random, made.dtype, made.left);
  Box right(random, made.dtype, made.right, Layout::permuted);
  Box first(random, made.dtype, made.out);
  for (Box* const box : {&left, &right, &first}) set_moderate(random, *box);
  Box second = first;
  const tenure_contract_attributes attributes = made.attributes();
  for (const auto& [engine, out] : {std::pair{&serial, &first}, std::pair{&parallel, &second}}) {
    REQUIRE(engine
                ->execute(TENURE_OP_CONTRACT, std::array{left.operand(1), right.operand(1), out->operand(2)},
                          &attributes)
                .code == TENURE_OK);
  }
  CHECK(first.bytes() == second.bytes());
}

}  // namespace

TEST_CASE("Contract: any batch, free and contracted axes, any strides, of every dtype with products") {
  Random random(1);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  for (const char* const name : product_dtypes) {
    for (int round = 0; round < 100; ++round) {
      CAPTURE(name);
      CAPTURE(round);
      check_case(random, round % 2 == 0 ? serial : parallel,
                 random_contraction(random, dtype_named(name), round % 3 == 0 ? 7 : 4));
    }
  }
}

// Small products have kernels of their own: blocks of registers and what is left beside them.
TEST_CASE("Contract: small products of any extents, strides and scalars at every ISA level") {
  Random random(7);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (const char* const name : product_dtypes) {
      for (int round = 0; round < 60; ++round) {
        CAPTURE(level);
        CAPTURE(name);
        CAPTURE(round);
        Contraction made =
            matrix_product(dtype_named(name), pick(random, 1, 40), pick(random, 1, 12), pick(random, 1, 13));
        if (round % 2 == 0) std::swap(made.left[0], made.right[1]);
        find_out_extents(made);
        set_scalars(random, made);
        check_case(random, engine, made);
      }
    }
  }
}

TEST_CASE("Contract: where small products lie does not change their bits") {
  Random random(8);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : floating_dtypes) {
    for (const bool is_zero : {false, true}) {
      Contraction made = matrix_product(dtype_named(name), 13, 9, 11);
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

// These multiply element by element, in items of a few elements and of many.
TEST_CASE("Contract: sums of one term with any axes, strides, scalars and conjugation, of every dtype") {
  Random random(11);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  for (const char* const name : product_dtypes) {
    for (int round = 0; round < 24; ++round) {
      CAPTURE(name);
      CAPTURE(round);
      const std::int64_t rows = pick(random, 1, round % 2 == 0 ? 3 : 150);
      const std::int64_t columns = pick(random, 1, round % 2 == 0 ? 3 : 40);
      const std::int64_t count = round % 8 == 7 ? 0 : pick(random, 1, round % 2 == 0 ? 700 : 5);
      Contraction made;
      made.dtype = dtype_named(name);
      made.left = {count, rows, 2};
      made.right = {columns, 2, count};
      made.left_batch = {2, 0};
      made.right_batch = {1, 2};
      if (round % 3 == 0) {
        made.left.push_back(1);
        made.right.push_back(1);
        made.left_contracted = made.right_contracted = {3};
      }
      find_out_extents(made);
      set_scalars(random, made);
      check_case(random, round % 4 < 2 ? serial : parallel, made);
    }
  }
}

TEST_CASE("Contract: sums of one term have the same bits on serial and parallel engines") {
  Random random(12);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 3);
  for (const char* const name : {"f32", "complex128", "i16"}) {
    Contraction made = matrix_product(dtype_named(name), 700, 1, 301);
    made.flags = TENURE_CONTRACT_CONJUGATE_LEFT;
    made.alpha = {3, 0};
    made.beta = {2, 0};
    check_same_bits(random, serial, parallel, made);
  }
}

TEST_CASE("Contract: tiles of large matrices fit together") {
  Random random(2);
  const Instance instance;
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  check_case(random, parallel, matrix_product(dtype_named("f64"), 300, 8, 260));
  check_case(random, parallel, matrix_product(dtype_named("f32"), 3, 5000, 4));
  check_case(random, parallel, matrix_product(dtype_named("f64"), 1030, 3, 5));
}

// Blocks of rows and terms, panels that fill registers, strips of columns, and what is left beside them.
TEST_CASE("Contract: large products of any extents at every ISA level") {
  Random random(10);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine serial(instance);
    const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
    for (const char* const name : {"i8", "i64", "f32", "f64", "complex128"}) {
      CAPTURE(level);
      CAPTURE(name);
      const Dtype dtype = dtype_named(name);
      for (Contraction made : {matrix_product(dtype, 270, 261, 9), matrix_product(dtype, 5, 530, 40),
                               matrix_product(dtype, 1, 300, 133), matrix_product(dtype, 133, 300, 1),
                               matrix_product(dtype, 290, 3, 140), matrix_product(dtype, 140, 3, 290),
                               matrix_product(dtype, 131, 517, 23)}) {
        set_scalars(random, made);
        check_case(random, serial, made);
        check_case(random, parallel, made);
      }
    }
  }
}

// A parallel engine divides these where a serial one does not.
TEST_CASE("Contract: serial and parallel engines give the same bits at every ISA level") {
  Random random(3);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine serial(instance);
    const Engine two(instance, TENURE_ENGINE_PARALLEL, 2);
    const Engine three(instance, TENURE_ENGINE_PARALLEL, 3);
    for (const char* const name : {"f32", "f64", "complex64", "complex128"}) {
      CAPTURE(level);
      CAPTURE(name);
      const Dtype dtype = dtype_named(name);
      for (Contraction made : {matrix_product(dtype, 301, 150, 290), matrix_product(dtype, 77, 523, 91),
                               matrix_product(dtype, 9, 300, 1001)}) {
        set_scalars(random, made);
        if (!tenure::abi::is_complex(to_abi(dtype))) made.alpha.im = 0;
        check_same_bits(random, serial, two, made);
        check_same_bits(random, serial, three, made);
      }
    }
  }
}

TEST_CASE("Contract: alpha 0 does not read the operands, and no terms make a sum of 0") {
  Random random(4);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : floating_dtypes) {
    Contraction made = matrix_product(dtype_named(name), 20, 30, 10);
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
    const Contraction empty = matrix_product(dtype_named(name), 4, 0, 3);
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
  const Contraction made = matrix_product(dtype_named("f64"), 60, 70, 50);
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
  const Contraction good = matrix_product(dtype_named("f64"), 3, 4, 5);
  const auto refused = [&](const Contraction& made, std::int32_t code) {
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
  Contraction made = good;
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
  made.dtype = dtype_named("f16");
  refused(made, TENURE_UNIMPLEMENTED);
  made.dtype = dtype_named("bool");
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
  const tenure_dtype f16 = to_abi(dtype_named("f16"));
  CHECK(engine.supports(TENURE_OP_CONTRACT, 0, {f64, f64, f64}));
  CHECK(engine.supports(TENURE_OP_CONTRACT, 0, {i64, i64, i64}));
  CHECK_FALSE(engine.supports(TENURE_OP_CONTRACT, 0, {f16, f16, f16}));
  CHECK_FALSE(engine.supports(TENURE_OP_CONTRACT, 0, {f64, i64, f64}));
}

}  // namespace cpu_test
