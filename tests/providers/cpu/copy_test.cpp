// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "box.hpp"
#include "cpu_plugin.hpp"

namespace cpu_test {
namespace {

// One dtype for each item size.
constexpr std::array<const char*, 5> dtype_names{"u8", "bf16", "f32", "i64", "complex128"};

void check_copy(const Engine& engine, const Box& in, Box& out) {
  const Box before = out;
  const std::array operands{in.operand(TENURE_OPERAND_READ), out.operand(TENURE_OPERAND_WRITE)};
  const Outcome outcome = engine.execute(TENURE_OP_COPY, operands);
  INFO(outcome.message);
  REQUIRE(outcome.code == TENURE_OK);
  REQUIRE(out.bytes() == in.bytes());
  REQUIRE(out.differs_only_in_elements(before));
}

tenure_fill_attributes fill_with(const Box& value) {
  auto attributes = tenure::abi::make_struct<tenure_fill_attributes>();
  attributes.value.dtype = to_abi(value.dtype());
  std::copy_n(reinterpret_cast<const std::uint8_t*>(value.at(0)), bytes_of(value.dtype()),
              attributes.value.value);
  return attributes;
}

}  // namespace

TEST_CASE("Copy: every index arrives, whatever the strides, at every ISA level") {
  Random random(1);
  for (const Options& options : isa_levels_with_and_without_streaming()) {
    const Instance instance(options);
    const Engine engine(instance);
    for (int round = 0; round < 400; ++round) {
      const Dtype dtype = dtype_named(dtype_names[random() % dtype_names.size()]);
      const Extents extents = random_extents(random, 8, 3000);
      const Box in(random, dtype, extents, random_layout(random, true));
      Box out(random, dtype, extents, random_layout(random, false));
      CAPTURE(options.size());
      CAPTURE(round);
      check_copy(engine, in, out);
    }
  }
}

TEST_CASE("Copy: large transpositions, serial and parallel, through the caches and past them") {
  Random random(2);
  for (const Options& options : {Options{}, Options{{"streaming_bytes", "0"}}}) {
    const Instance instance(options);
    const Engine serial(instance);
    const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 3);
    for (const char* const name : dtype_names) {
      const Dtype dtype = dtype_named(name);
      for (const Extents& extents : {Extents{301, 257}, Extents{17, 40, 129}, Extents{5, 64, 3, 70, 2},
                                     Extents{3, 30000}, Extents{200, 20, 30}}) {
        for (int round = 0; round < 4; ++round) {
          const Box in(random, dtype, extents, Layout::permuted);
          Box out(random, dtype, extents, Layout::compact);
          check_copy(round % 2 == 0 ? serial : parallel, in, out);
        }
      }
    }
  }
}

TEST_CASE("Copy: whole axes keep their rows whatever the order of the others, at every ISA level") {
  Random random(7);
  for (const Options& options : isa_levels_with_and_without_streaming()) {
    const Instance instance(options);
    const Engine engine(instance);
    for (const char* const name : dtype_names) {
      const Dtype dtype = dtype_named(name);
      for (const std::int64_t row : {3, 5, 12, 40, 77, 260, 1500}) {
        const Box source(random, dtype, {row, 6, 7, 5});
        Box target(random, dtype, {row, 5, 6, 7});
        tenure_operand in = source.operand(TENURE_OPERAND_READ);
        const Extents& strides = source.strides();
        const Extents turned{strides[0], strides[3], strides[1], strides[2]};
        in.extents = target.extents().data();
        in.strides = turned.data();
        const std::array operands{in, target.operand(TENURE_OPERAND_WRITE)};
        REQUIRE(engine.execute(TENURE_OP_COPY, operands).code == TENURE_OK);
        for (std::int64_t i = 0; i < target.count(); ++i) {
          const std::int64_t a = i / row % 5, b = i / row / 5 % 6, c = i / row / 30;
          const std::int64_t from = i % row + row * (b + 6 * (c + 7 * a));
          REQUIRE(std::equal(target.at(i), target.at(i) + bytes_of(dtype), source.at(from)));
        }
      }
    }
  }
}

TEST_CASE("Copy: a few components are taken apart and put together, at every ISA level") {
  Random random(8);
  for (const Options& options : isa_levels_with_and_without_streaming()) {
    const Instance instance(options);
    const Engine engine(instance);
    for (const char* const name : dtype_names) {
      const Dtype dtype = dtype_named(name);
      for (std::int64_t components = 2; components <= 17; ++components) {
        for (const std::int64_t groups : {pick(random, 1, 40), pick(random, 50, 500)}) {
          for (const Extents& extents : {Extents{components, groups}, Extents{groups, components}}) {
            const Box source(random, dtype, extents);
            Box target(random, dtype, {extents[1], extents[0]});
            const Box before = target;
            tenure_operand in = source.operand(TENURE_OPERAND_READ);
            const Extents turned{extents[0], 1};
            in.extents = target.extents().data();
            in.strides = turned.data();
            const std::array operands{in, target.operand(TENURE_OPERAND_WRITE)};
            REQUIRE(engine.execute(TENURE_OP_COPY, operands).code == TENURE_OK);
            REQUIRE(target.differs_only_in_elements(before));
            CAPTURE(name);
            CAPTURE(components);
            CAPTURE(groups);
            bool is_right = true;
            for (std::int64_t i = 0; i < target.count(); ++i) {
              const std::int64_t from = i / extents[1] + i % extents[1] * extents[0];
              is_right &= std::equal(target.at(i), target.at(i) + bytes_of(dtype), source.at(from));
            }
            REQUIRE(is_right);
          }
        }
      }
    }
  }
}

TEST_CASE("Copy: many axes of two elements in reversed order") {
  Random random(3);
  const Instance instance;
  const Engine engine(instance);
  constexpr std::int64_t rank = 14;
  for (const char* const name : dtype_names) {
    const Dtype dtype = dtype_named(name);
    const Box source(random, dtype, Extents(rank, 2));
    Box target(random, dtype, Extents(rank, 2));
    tenure_operand in = source.operand(TENURE_OPERAND_READ);
    Extents reversed(source.strides().rbegin(), source.strides().rend());
    in.strides = reversed.data();
    const std::array operands{in, target.operand(TENURE_OPERAND_WRITE)};
    REQUIRE(engine.execute(TENURE_OP_COPY, operands).code == TENURE_OK);
    for (std::int64_t i = 0; i < target.count(); ++i) {
      std::int64_t mirrored = 0;
      for (int bit = 0; bit < rank; ++bit) mirrored |= (i >> bit & 1) << (rank - 1 - bit);
      REQUIRE(std::equal(target.at(i), target.at(i) + bytes_of(dtype), source.at(mirrored)));
    }
  }
}

TEST_CASE("Copy: rank 64 is taken and rank 65 refused in words") {
  Random random(4);
  const Instance instance;
  const Engine engine(instance);
  const Dtype dtype = dtype_named("f64");
  Extents extents(64, 1);
  extents[7] = 3;
  extents[63] = 5;
  const Box in(random, dtype, extents, Layout::permuted);
  Box out(random, dtype, extents);
  check_copy(engine, in, out);

  const Box wide(random, dtype, Extents(65, 1));
  const std::array operands{wide.operand(TENURE_OPERAND_READ), wide.operand(TENURE_OPERAND_WRITE)};
  const Outcome outcome = engine.execute(TENURE_OP_COPY, operands);
  CHECK(outcome.code == TENURE_INVALID_ARGUMENT);
  CHECK(outcome.message.find("rank 65") != std::string::npos);
}

TEST_CASE("Copy: different dtypes or extents are refused and nothing is written") {
  Random random(5);
  const Instance instance;
  const Engine engine(instance);
  const Box in(random, dtype_named("f32"), {4, 5});
  for (const auto& [dtype, extents] : {std::pair{"f64", Extents{4, 5}}, std::pair{"f32", Extents{5, 4}}}) {
    Box out(random, dtype_named(dtype), extents);
    const std::vector<std::byte> before = out.bytes();
    const std::array operands{in.operand(TENURE_OPERAND_READ), out.operand(TENURE_OPERAND_WRITE)};
    const Outcome outcome = engine.execute(TENURE_OP_COPY, operands);
    CHECK(outcome.code == TENURE_INVALID_ARGUMENT);
    CHECK_FALSE(outcome.message.empty());
    CHECK(out.bytes() == before);
  }
}

TEST_CASE("Fill: every element has the value and nothing else changes") {
  Random random(6);
  const Instance instance, streaming(Options{{"streaming_bytes", "0"}});
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  const Engine past_caches(streaming, TENURE_ENGINE_PARALLEL, 2);
  for (Dtype dtype = 0; dtype < dtype_count; ++dtype) {
    for (int round = 0; round < 30; ++round) {
      const Engine& engine = round % 3 == 0 ? parallel : round % 3 == 1 ? serial : past_caches;
      const Box value(random, dtype, {});
      Box out(random, dtype, round % 10 == 0 ? Extents{300, 301} : random_extents(random, 8, 2000),
              random_layout(random, false));
      const Box before = out;
      const tenure_fill_attributes attributes = fill_with(value);
      const std::array operands{out.operand(TENURE_OPERAND_WRITE)};
      REQUIRE(engine.execute(TENURE_OP_FILL, operands, &attributes).code == TENURE_OK);
      for (std::int64_t i = 0; i < out.count(); ++i) {
        REQUIRE(std::equal(out.at(i), out.at(i) + bytes_of(dtype), value.at(0)));
      }
      REQUIRE(out.differs_only_in_elements(before));
    }
  }
}

TEST_CASE("Fill: a value of another dtype is refused") {
  Random random(7);
  const Instance instance;
  const Engine engine(instance);
  const Box value(random, dtype_named("f32"), {});
  const Box out(random, dtype_named("f64"), {3});
  const tenure_fill_attributes attributes = fill_with(value);
  const std::array operands{out.operand(TENURE_OPERAND_WRITE)};
  CHECK(engine.execute(TENURE_OP_FILL, operands, &attributes).code == TENURE_INVALID_ARGUMENT);
  CHECK(engine.execute(TENURE_OP_FILL, operands, nullptr).code == TENURE_INVALID_ARGUMENT);
}

}  // namespace cpu_test
