// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "box.hpp"
#include "cpu_plugin.hpp"

namespace cpu_test {
namespace {

tenure_triangle_attributes triangle(std::uint32_t part, std::int64_t diagonal) {
  auto attributes = tenure::abi::make_struct<tenure_triangle_attributes>();
  attributes.part = part;
  attributes.diagonal = diagonal;
  return attributes;
}

void check_triangle(const Engine& engine, const Box& in, Box& out, std::uint32_t part,
                    std::int64_t diagonal) {
  const Box before = out;
  const std::array operands{in.operand(TENURE_OPERAND_READ), out.operand(TENURE_OPERAND_WRITE)};
  const tenure_triangle_attributes attributes = triangle(part, diagonal);
  const Outcome outcome = engine.execute(TENURE_OP_TRIANGLE, operands, &attributes);
  INFO(outcome.message);
  REQUIRE(outcome.code == TENURE_OK);
  const std::vector<std::byte> zero(bytes_of(in.dtype()));
  for (std::int64_t position = 0; position < in.count(); ++position) {
    const std::int64_t row = position % in.extents()[0];
    const std::int64_t column = position / in.extents()[0] % in.extents()[1];
    const bool is_kept = part == TENURE_TRIANGLE_LOWER ? column - row <= diagonal : column - row >= diagonal;
    const std::byte* const expected = is_kept ? in.at(position) : zero.data();
    REQUIRE(std::equal(expected, expected + bytes_of(in.dtype()), out.at(position)));
  }
  REQUIRE(out.differs_only_in_elements(before));
}

}  // namespace

TEST_CASE("Triangle: every dtype, any strides, any diagonal, at every ISA level") {
  Random random(1);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (Dtype dtype = 0; dtype < dtype_count; ++dtype) {
      for (int round = 0; round < 30; ++round) {
        Extents extents{pick(random, 0, 9), pick(random, 1, 9)};
        for (std::int64_t batch = pick(random, 0, 3); batch > 0; --batch)
          extents.push_back(pick(random, 1, 4));
        const Box in(random, dtype, extents, random_layout(random, true));
        Box out(random, dtype, extents, random_layout(random, false));
        const std::uint32_t part = random() % 2 == 0 ? TENURE_TRIANGLE_LOWER : TENURE_TRIANGLE_UPPER;
        CAPTURE(level);
        CAPTURE(round);
        check_triangle(engine, in, out, part, pick(random, -10, 10));
      }
    }
  }
}

TEST_CASE("Triangle: large matrices, in parallel") {
  Random random(2);
  const Instance instance;
  const Engine engine(instance, TENURE_ENGINE_PARALLEL, 3);
  for (const Layout layout : {Layout::compact, Layout::permuted, Layout::permuted}) {
    const Box in(random, dtype_named("f32"), {301, 257, 2}, layout);
    Box out(random, dtype_named("f32"), {301, 257, 2}, layout);
    check_triangle(engine, in, out, TENURE_TRIANGLE_LOWER, 3);
    check_triangle(engine, in, out, TENURE_TRIANGLE_UPPER, -20);
  }
}

TEST_CASE("Triangle: a diagonal outside the matrix keeps all or nothing") {
  Random random(3);
  const Instance instance;
  const Engine engine(instance);
  const Box in(random, dtype_named("i64"), {4, 5});
  Box out(random, dtype_named("i64"), {4, 5});
  for (const std::int64_t diagonal :
       {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    check_triangle(engine, in, out, TENURE_TRIANGLE_LOWER, diagonal);
    check_triangle(engine, in, out, TENURE_TRIANGLE_UPPER, diagonal);
  }
}

TEST_CASE("Triangle: other dtypes, extents, ranks and parts are refused and nothing is written") {
  Random random(4);
  const Instance instance;
  const Engine engine(instance);
  const Dtype f64 = dtype_named("f64");
  const auto code = [&](const Box& in, Box out, std::uint32_t part) {
    const std::vector<std::byte> before = out.bytes();
    const std::array operands{in.operand(TENURE_OPERAND_READ), out.operand(TENURE_OPERAND_WRITE)};
    const tenure_triangle_attributes attributes = triangle(part, 0);
    const Outcome outcome = engine.execute(TENURE_OP_TRIANGLE, operands, &attributes);
    CHECK(out.bytes() == before);
    return outcome.code;
  };
  const Box square(random, f64, {3, 3});
  CHECK(code(square, Box(random, dtype_named("f32"), {3, 3}), TENURE_TRIANGLE_LOWER) == TENURE_UNIMPLEMENTED);
  CHECK(code(square, Box(random, f64, {3, 4}), TENURE_TRIANGLE_LOWER) == TENURE_INVALID_ARGUMENT);
  CHECK(code(Box(random, f64, {3}), Box(random, f64, {3}), TENURE_TRIANGLE_LOWER) == TENURE_INVALID_ARGUMENT);
  CHECK(code(square, Box(random, f64, {3, 3}), 3) == TENURE_UNIMPLEMENTED);
}

}  // namespace cpu_test
