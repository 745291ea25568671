// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "box.hpp"
#include "cpu_plugin.hpp"

namespace cpu_test {
namespace {

tenure_axis_attributes along(std::size_t axis) {
  auto attributes = tenure::abi::make_struct<tenure_axis_attributes>();
  attributes.axis = static_cast<std::uint32_t>(axis);
  return attributes;
}

// The position of the index that `position` of `extents` has with another number on an axis.
std::int64_t with_index(std::int64_t position, const Extents& extents, std::size_t axis, std::int64_t number,
                        const Extents& target) {
  std::int64_t result = 0;
  std::int64_t step = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    result += (i == axis ? number : position % extents[i]) * step;
    position /= extents[i];
    step *= target[i];
  }
  return result;
}

std::int64_t index_at(const Box& indices, std::int64_t position) {
  return static_cast<std::int64_t>(indices.get(position).re);
}

// Tensors of equal extents, but for those of the indexed one on the axis.
struct Case {
  Case(Random& random, const Extents& shape)
      : axis(static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(shape.size()) - 1))),
        extents(shape),
        indexed_extents(shape),
        indices(random, dtype_named("i64"), shape, random_layout(random, true)) {
    indexed_extents[axis] = pick(random, 1, 12);
    for (std::int64_t i = 0; i < indices.count(); ++i) {
      indices.set(i, {static_cast<long double>(pick(random, 0, indexed_extents[axis] - 1)), 0});
    }
  }

  std::size_t axis;
  Extents extents;
  Extents indexed_extents;
  Box indices;
};

void check_gather(const Engine& engine, const Case& made, const Box& in, Box& out) {
  const Box before = out;
  const std::array operands{in.operand(TENURE_OPERAND_READ), made.indices.operand(TENURE_OPERAND_READ),
                            out.operand(TENURE_OPERAND_WRITE)};
  const tenure_axis_attributes attributes = along(made.axis);
  const Outcome outcome = engine.execute(TENURE_OP_GATHER, operands, &attributes);
  INFO(outcome.message);
  REQUIRE(outcome.code == TENURE_OK);
  for (std::int64_t i = 0; i < out.count(); ++i) {
    const std::byte* const expected =
        in.at(with_index(i, made.extents, made.axis, index_at(made.indices, i), made.indexed_extents));
    REQUIRE(std::equal(expected, expected + bytes_of(in.dtype()), out.at(i)));
  }
  REQUIRE(out.differs_only_in_elements(before));
}

void check_scatter(const Engine& engine, const Case& made, const Box& updates, Box& out) {
  Box expected = out;
  const std::array operands{made.indices.operand(TENURE_OPERAND_READ), updates.operand(TENURE_OPERAND_READ),
                            out.operand(TENURE_OPERAND_WRITE)};
  const tenure_axis_attributes attributes = along(made.axis);
  const Outcome outcome = engine.execute(TENURE_OP_SCATTER, operands, &attributes);
  INFO(outcome.message);
  REQUIRE(outcome.code == TENURE_OK);
  // Positions that differ along the axis alone come in its order, so the last update of an element stays.
  for (std::int64_t i = 0; i < updates.count(); ++i) {
    std::copy_n(
        updates.at(i), bytes_of(updates.dtype()),
        expected.at(with_index(i, made.extents, made.axis, index_at(made.indices, i), made.indexed_extents)));
  }
  REQUIRE(out.bytes() == expected.bytes());
  REQUIRE(out.differs_only_in_elements(expected));
}

Extents random_shape(Random& random) {
  Extents extents;
  do {
    extents = random_extents(random, 5, 400);
  } while (extents.empty());
  return extents;
}

}  // namespace

TEST_CASE("Gather: every dtype, any strides, along any axis, at every ISA level") {
  Random random(1);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (int round = 0; round < 600; ++round) {
      const Dtype dtype = static_cast<Dtype>(round) % dtype_count;
      const Case made(random, random_shape(random));
      const Box in(random, dtype, made.indexed_extents, random_layout(random, true));
      Box out(random, dtype, made.extents, random_layout(random, false));
      CAPTURE(level);
      CAPTURE(round);
      check_gather(engine, made, in, out);
    }
  }
}

TEST_CASE("Scatter: every dtype, any strides, along any axis, at every ISA level") {
  Random random(2);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (int round = 0; round < 600; ++round) {
      const Dtype dtype = static_cast<Dtype>(round) % dtype_count;
      const Case made(random, random_shape(random));
      const Box updates(random, dtype, made.extents, random_layout(random, true));
      Box out(random, dtype, made.indexed_extents, random_layout(random, false));
      CAPTURE(level);
      CAPTURE(round);
      check_scatter(engine, made, updates, out);
    }
  }
}

TEST_CASE("Gather and scatter: large operands, in parallel, with many updates of one element") {
  Random random(3);
  const Instance instance;
  const Engine engine(instance, TENURE_ENGINE_PARALLEL, 3);
  const Dtype dtype = dtype_named("f32");
  for (const Extents& extents : {Extents{200000}, Extents{300, 400}, Extents{3, 200, 170}}) {
    for (int round = 0; round < 3; ++round) {
      const Case made(random, extents);
      const Layout layout = round == 0 ? Layout::compact : Layout::permuted;
      const Box in(random, dtype, made.indexed_extents, layout);
      Box taken(random, dtype, extents, layout);
      check_gather(engine, made, in, taken);
      Box put(random, dtype, made.indexed_extents, layout);
      check_scatter(engine, made, taken, put);
    }
  }
}

TEST_CASE("Gather and scatter: an index out of range is named with its place, and nothing is written") {
  Random random(4);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  for (const Engine* const engine : {&serial, &parallel}) {
    for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{6}}) {
      const bool is_large = engine == &parallel;
      const Extents extents{4, is_large ? 30000 : 3};
      Extents indexed = extents;
      indexed[0] = 6;
      Box indices(random, dtype_named("i64"), extents, Layout::permuted);
      for (std::int64_t i = 0; i < indices.count(); ++i) indices.set(i, {static_cast<long double>(i % 6), 0});
      indices.set(9, {static_cast<long double>(wrong), 0});
      indices.set(11, {100, 0});
      const Box in(random, dtype_named("u8"), indexed);
      Box out(random, dtype_named("u8"), extents);
      const std::vector<std::byte> before = out.bytes();
      const tenure_axis_attributes attributes = along(0);
      const Outcome gathered =
          engine->execute(TENURE_OP_GATHER,
                          std::array{in.operand(TENURE_OPERAND_READ), indices.operand(TENURE_OPERAND_READ),
                                     out.operand(TENURE_OPERAND_WRITE)},
                          &attributes);
      CHECK(gathered.code == TENURE_INVALID_ARGUMENT);
      CHECK(gathered.message.find("the index at [1, 2] is " + std::to_string(wrong)) != std::string::npos);
      CHECK(gathered.message.find("axis 0 of extent 6") != std::string::npos);
      CHECK(out.bytes() == before);

      Box target(random, dtype_named("u8"), indexed);
      const std::vector<std::byte> untouched = target.bytes();
      const Outcome scattered =
          engine->execute(TENURE_OP_SCATTER,
                          std::array{indices.operand(TENURE_OPERAND_READ), out.operand(TENURE_OPERAND_READ),
                                     target.operand(TENURE_OPERAND_WRITE)},
                          &attributes);
      CHECK(scattered.code == TENURE_INVALID_ARGUMENT);
      CHECK(scattered.message.find("[1, 2]") != std::string::npos);
      CHECK(target.bytes() == untouched);
    }
  }
}

TEST_CASE("Gather and scatter: dtypes, extents and axes that do not go together are refused") {
  Random random(5);
  const Instance instance;
  const Engine engine(instance);
  const Dtype f64 = dtype_named("f64");
  const Box in(random, f64, {4, 3});
  Box indices(random, dtype_named("i64"), {2, 3});
  for (std::int64_t i = 0; i < indices.count(); ++i) indices.set(i, {0, 0});
  Box out(random, f64, {2, 3});
  const auto gather = [&](const Box& from, const Box& by, const Box& to, std::size_t axis) {
    const tenure_axis_attributes attributes = along(axis);
    return engine
        .execute(TENURE_OP_GATHER,
                 std::array{from.operand(TENURE_OPERAND_READ), by.operand(TENURE_OPERAND_READ),
                            to.operand(TENURE_OPERAND_WRITE)},
                 &attributes)
        .code;
  };
  CHECK(gather(in, indices, out, 0) == TENURE_OK);
  CHECK(gather(in, indices, out, 1) == TENURE_INVALID_ARGUMENT);
  CHECK(gather(in, indices, out, 2) == TENURE_INVALID_ARGUMENT);
  CHECK(gather(in, Box(random, dtype_named("i32"), {2, 3}), out, 0) == TENURE_UNIMPLEMENTED);
  CHECK(gather(Box(random, dtype_named("f32"), {4, 3}), indices, out, 0) == TENURE_UNIMPLEMENTED);
  CHECK(gather(in, Box(random, dtype_named("i64"), {2, 1}), out, 0) == TENURE_INVALID_ARGUMENT);
  CHECK_FALSE(engine.supports(TENURE_OP_GATHER, 0, {to_abi(f64), to_abi(dtype_named("i32")), to_abi(f64)}));
  CHECK(engine.supports(TENURE_OP_SCATTER, 0, {to_abi(dtype_named("i64")), to_abi(f64), to_abi(f64)}));
}

}  // namespace cpu_test
