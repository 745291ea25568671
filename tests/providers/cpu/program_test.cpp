// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "box.hpp"
#include "cpu_plugin.hpp"
#include "function_reference.hpp"
#include "program_builder.hpp"

namespace cpu_test {
namespace {

// A program of random nodes over values of one floating dtype, and the same computed one function at a time.
struct RandomProgram {
  Program program;
  std::vector<Box> inputs;
  std::vector<std::vector<std::byte>> values;  // of every value, compact
  std::vector<std::uint32_t> outputs;

  RandomProgram(Random& random, const Engine& engine, Dtype dtype, const Extents& extents)
      : program(static_cast<std::uint32_t>(pick(random, 1, 5))) {
    const std::uint32_t input_count = program.attributes().input_count;
    for (std::uint32_t i = 0; i < input_count; ++i) {
      inputs.emplace_back(random, dtype, extents, random_layout(random, true));
      values.push_back(inputs.back().bytes());
    }
    const auto constant_count = static_cast<std::uint32_t>(pick(random, 0, 2));
    for (std::uint32_t i = 0; i < constant_count; ++i) {
      Box constant(random, dtype, {});
      program.add_constant(dtype, constant.get(0));
      std::vector<std::byte> all;
      for (std::int64_t k = 0; k < inputs[0].count(); ++k) {
        all.insert(all.end(), constant.at(0), constant.at(0) + bytes_of(dtype));
      }
      values.push_back(all);
    }
    const auto node_count = static_cast<std::uint32_t>(pick(random, 1, 12));
    for (std::uint32_t i = 0; i < node_count; ++i) add_random_node(random, engine, dtype, extents);
    const std::int64_t output_count = pick(random, 1, 4);
    for (std::int64_t i = 0; i < output_count; ++i) {
      outputs.push_back(static_cast<std::uint32_t>(random() % values.size()));
      program.add_output(outputs.back());
    }
  }

  void add_random_node(Random& random, const Engine& engine, Dtype dtype, const Extents& extents) {
    constexpr std::array functions{TENURE_FN_NEG,      TENURE_FN_ABS,      TENURE_FN_ADD,
                                   TENURE_FN_SUBTRACT, TENURE_FN_MULTIPLY, TENURE_FN_DIVIDE,
                                   TENURE_FN_MAXIMUM,  TENURE_FN_EXP};
    const auto function = static_cast<std::uint32_t>(functions[random() % functions.size()]);
    const bool is_unary = tenure::abi::find_function(function)->arity == 1;
    std::vector<Box> operands;
    std::array<std::uint32_t, 2> arguments{};
    for (std::size_t i = 0; i < (is_unary ? 1u : 2u); ++i) {
      arguments[i] = static_cast<std::uint32_t>(random() % values.size());
      operands.emplace_back(random, dtype, extents);
      for (std::int64_t k = 0; k < operands.back().count(); ++k) {
        std::memcpy(operands.back().at(k),
                    values[arguments[i]].data() + static_cast<std::size_t>(k) * bytes_of(dtype),
                    bytes_of(dtype));
      }
    }
    Box out(random, dtype, extents);
    REQUIRE(run_function(engine, function, operands, out).code == TENURE_OK);
    if (is_unary) {
      program.add_node(function, dtype, {arguments[0]});
    } else {
      program.add_node(function, dtype, {arguments[0], arguments[1]});
    }
    values.push_back(out.bytes());
  }
};

}  // namespace

TEST_CASE("Program: a random program gives what its nodes give one by one") {
  Random random(1);
  for (const Options& options : isa_levels_with_and_without_streaming()) {
    const Instance instance(options);
    const Engine serial(instance);
    const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
    for (int round = 0; round < 120; ++round) {
      const Dtype dtype = dtype_named(std::array{"f64", "f32", "f16"}[random() % 3]);
      const Extents extents = round % 40 == 0 ? Extents{300, 300} : random_extents(random, 6, 3000);
      const RandomProgram made(random, serial, dtype, extents);
      std::vector<Box> outputs;
      for (std::size_t i = 0; i < made.outputs.size(); ++i) {
        outputs.emplace_back(random, dtype, extents, random_layout(random, false));
      }
      const std::vector<Box> before = outputs;
      const Outcome outcome =
          run_program(round % 2 == 0 ? serial : parallel, made.program, made.inputs, outputs);
      INFO(outcome.message);
      CAPTURE(options[0].second);
      CAPTURE(options.size());
      CAPTURE(round);
      REQUIRE(outcome.code == TENURE_OK);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        CAPTURE(i);
        REQUIRE(outputs[i].differs_only_in_elements(before[i]));
        Box expected(random, dtype, extents);
        for (std::int64_t k = 0; k < expected.count(); ++k) {
          std::memcpy(expected.at(k),
                      made.values[made.outputs[i]].data() + static_cast<std::size_t>(k) * bytes_of(dtype),
                      bytes_of(dtype));
          REQUIRE(same_number(outputs[i].get(k), expected.get(k)));
        }
      }
    }
  }
}

TEST_CASE("Program: clamp with constants, comparisons and where, of several dtypes") {
  Random random(2);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : {"f64", "f16", "i32", "u8"}) {
    const Dtype dtype = dtype_named(name);
    std::vector<Box> inputs;
    inputs.emplace_back(random, dtype, Extents{70, 30}, Layout::permuted);
    Program program(1);
    const std::uint32_t low = program.add_constant(dtype, {2, 0});
    const std::uint32_t high = program.add_constant(dtype, {5, 0});
    const std::uint32_t is_low = program.add_node(TENURE_FN_LESS, dtype, {0, low});
    const std::uint32_t raised = program.add_node(TENURE_FN_WHERE, dtype, {is_low, low, 0});
    program.add_output(program.add_node(TENURE_FN_MINIMUM, dtype, {raised, high}));
    program.add_output(is_low);
    std::vector<Box> outputs;
    outputs.emplace_back(random, dtype, inputs[0].extents());
    outputs.emplace_back(random, dtype_named("bool"), inputs[0].extents(), Layout::permuted);
    REQUIRE(run_program(engine, program, inputs, outputs).code == TENURE_OK);
    for (std::int64_t i = 0; i < inputs[0].count(); ++i) {
      const long double x = inputs[0].get(i).re;
      const bool is_less = x < 2;
      const long double expected = std::isnan(x) ? x : std::min(std::max(x, 2.0L), 5.0L);
      REQUIRE(same_number(outputs[0].get(i), {expected, 0}));
      REQUIRE(outputs[1].get(i).re == (is_less ? 1 : 0));
    }
  }
}

TEST_CASE("Program: inputs whose memory runs across the rows, alone and beside others") {
  Random random(7);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  for (const char* const name : {"f64", "i32", "u8", "complex128"}) {
    const Dtype dtype = dtype_named(name);
    for (const Extents& extents : {Extents{1500, 19}, Extents{300, 37}, Extents{129, 4}, Extents{130, 5, 19},
                                   Extents{257, 6, 3, 16}}) {
      for (const Engine* const engine : {&serial, &parallel}) {
        // a + b * c with b the other way round and c in any order.
        std::vector<Box> inputs;
        inputs.emplace_back(random, dtype, extents);
        inputs.emplace_back(random, dtype, Extents(extents.rbegin(), extents.rend()));
        inputs.emplace_back(random, dtype, extents, Layout::permuted);
        std::vector<tenure_operand> operands;
        for (const Box& input : inputs) operands.push_back(input.operand(TENURE_OPERAND_READ));
        const Extents turned(inputs[1].strides().rbegin(), inputs[1].strides().rend());
        operands[1].extents = extents.data();
        operands[1].strides = turned.data();
        Box straight(random, dtype, extents);
        REQUIRE(serial.execute(TENURE_OP_COPY, std::array{operands[1], straight.operand(2)}).code ==
                TENURE_OK);

        std::vector<Box> products, expected;
        products.emplace_back(random, dtype, extents);
        expected.emplace_back(random, dtype, extents);
        REQUIRE(run_function(serial, TENURE_FN_MULTIPLY, {straight, inputs[2]}, products[0]).code ==
                TENURE_OK);
        REQUIRE(run_function(serial, TENURE_FN_ADD, {inputs[0], products[0]}, expected[0]).code == TENURE_OK);

        Program program(3);
        const std::uint32_t product = program.add_node(TENURE_FN_MULTIPLY, dtype, {1, 2});
        program.add_output(program.add_node(TENURE_FN_ADD, dtype, {0, product}));
        program.add_output(1);
        Box sum(random, dtype, extents, random_layout(random, false));
        Box copy(random, dtype, extents);
        operands.push_back(sum.operand(TENURE_OPERAND_WRITE));
        operands.push_back(copy.operand(TENURE_OPERAND_WRITE));
        const Box before = sum;
        const auto attributes = program.attributes();
        REQUIRE(engine->execute(TENURE_OP_PROGRAM, operands, &attributes).code == TENURE_OK);
        CAPTURE(name);
        CHECK(sum.differs_only_in_elements(before));
        CHECK(copy.bytes() == straight.bytes());
        for (std::int64_t i = 0; i < sum.count(); ++i) REQUIRE(same_number(sum.get(i), expected[0].get(i)));
      }
    }
  }
}

TEST_CASE("Program: outputs may lie where inputs lie, and be inputs") {
  Random random(3);
  const Instance through_caches, past_caches(Options{{"streaming_bytes", "0"}});
  const Engine usual(through_caches), streaming(past_caches);
  const Dtype dtype = dtype_named("f64");
  for (int round = 0; round < 4; ++round) {
    const Layout layout = round < 2 ? Layout::compact : Layout::permuted;
    const Engine& engine = round % 2 == 0 ? usual : streaming;
    Box a(random, dtype, {41, 53}, layout);
    Box b(random, dtype, {41, 53}, layout);
    for (Box* const box : {&a, &b}) {
      for (std::int64_t i = 0; i < box->count(); ++i)
        box->set(i, {static_cast<long double>(random() % 100), 0});
    }
    const Box old_a = a;
    const Box old_b = b;
    // (a, b) becomes (a + b, a), where both sums and copies read what the other output overwrites.
    Program program(2);
    program.add_output(program.add_node(TENURE_FN_ADD, dtype, {0, 1}));
    program.add_output(0);
    const std::array operands{a.operand(1), b.operand(1), a.operand(2), b.operand(2)};
    const auto attributes = program.attributes();
    REQUIRE(engine.execute(TENURE_OP_PROGRAM, operands, &attributes).code == TENURE_OK);
    for (std::int64_t i = 0; i < a.count(); ++i) {
      REQUIRE(a.get(i).re == old_a.get(i).re + old_b.get(i).re);
      REQUIRE(b.get(i).re == old_a.get(i).re);
    }
  }
}

TEST_CASE("Program: an early node does not overwrite an input that a later one reads") {
  Random random(4);
  for (const Options& options : {Options{}, Options{{"streaming_bytes", "0"}}}) {
    const Instance instance(options);
    const Engine engine(instance);
    const Dtype dtype = dtype_named("i64");
    Box a(random, dtype, {5000});
    for (std::int64_t i = 0; i < a.count(); ++i) a.set(i, {static_cast<long double>(i), 0});
    Box c(random, dtype, {5000});
    Program program(1);
    program.add_output(program.add_node(TENURE_FN_ADD, dtype, {0, 0}));
    program.add_output(program.add_node(TENURE_FN_NEG, dtype, {0}));
    const std::array operands{a.operand(1), a.operand(2), c.operand(2)};
    const auto attributes = program.attributes();
    REQUIRE(engine.execute(TENURE_OP_PROGRAM, operands, &attributes).code == TENURE_OK);
    for (std::int64_t i = 0; i < a.count(); ++i) {
      REQUIRE(a.get(i).re == 2 * i);
      REQUIRE(c.get(i).re == -i);
    }
  }
}

TEST_CASE("Program: a zero integer divisor is found before anything is written, wherever it hides") {
  Random random(5);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  for (const char* const name : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"}) {
    const Dtype dtype = dtype_named(name);
    for (const Layout layout : {Layout::compact, Layout::permuted}) {
      for (const bool is_computed : {false, true}) {
        std::vector<Box> inputs;
        for (int i = 0; i < 2; ++i) {
          inputs.emplace_back(random, dtype, Extents{300, 301}, layout);
          for (std::int64_t k = 0; k < inputs.back().count(); ++k)
            inputs.back().set(k, {static_cast<long double>(1 + k % 7), 0});
        }
        Program program(2);
        const std::uint32_t divisor = is_computed ? program.add_node(TENURE_FN_SUBTRACT, dtype, {1, 0}) : 1;
        const std::uint32_t shifted =
            is_computed ? program.add_node(TENURE_FN_SUBTRACT, dtype, {divisor, 0}) : divisor;
        program.add_output(program.add_node(TENURE_FN_DIVIDE, dtype, {0, shifted}));
        std::vector<Box> outputs;
        outputs.emplace_back(random, dtype, inputs[0].extents());
        REQUIRE(run_program(serial, program, inputs, outputs).code == TENURE_OK);

        // The last element of all becomes the one zero.
        inputs[1].set(inputs[1].count() - 1,
                      {is_computed ? 2 * inputs[0].get(inputs[0].count() - 1).re : 0, 0});
        outputs[0].set(0, {77, 0});
        const std::vector<std::byte> before = outputs[0].bytes();
        for (const Engine* const engine : {&serial, &parallel}) {
          const Outcome outcome = run_program(*engine, program, inputs, outputs);
          CAPTURE(name);
          CHECK(outcome.code == TENURE_INVALID_ARGUMENT);
          CHECK(outcome.message.find("divisor") != std::string::npos);
          CHECK(outcome.message.find(name) != std::string::npos);
          CHECK(outputs[0].bytes() == before);
        }
      }
    }
  }
}

TEST_CASE("Program: a remainder's zero divisor and a negative exponent are found likewise") {
  Random random(8);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : {"i8", "i16", "i32", "i64"}) {
    for (const std::uint32_t function : {TENURE_FN_REMAINDER, TENURE_FN_POW}) {
      const Dtype dtype = dtype_named(name);
      const bool is_power = function == TENURE_FN_POW;
      std::vector<Box> inputs;
      for (int i = 0; i < 2; ++i) {
        inputs.emplace_back(random, dtype, Extents{40, 41}, Layout::permuted);
        for (std::int64_t k = 0; k < inputs.back().count(); ++k)
          inputs.back().set(k, {static_cast<long double>(1 + k % 7), 0});
      }
      // A division before it, so that both are checked in one walk.
      Program program(2);
      const std::uint32_t quotient = program.add_node(TENURE_FN_DIVIDE, dtype, {0, 1});
      program.add_output(program.add_node(function, dtype, {quotient, 1}));
      std::vector<Box> outputs;
      outputs.emplace_back(random, dtype, inputs[0].extents());
      REQUIRE(run_program(engine, program, inputs, outputs).code == TENURE_OK);

      inputs[1].set(1000, {is_power ? -1.0L : 0.0L, 0});
      const std::vector<std::byte> before = outputs[0].bytes();
      const Outcome outcome = run_program(engine, program, inputs, outputs);
      CAPTURE(name);
      CHECK(outcome.code == TENURE_INVALID_ARGUMENT);
      CHECK(outcome.message.find(is_power ? "exponent" : "divisor") != std::string::npos);
      CHECK(outputs[0].bytes() == before);
    }
  }
}

TEST_CASE("Program: one function of one input twice, and of a constant on either side") {
  Random random(9);
  const Instance instance;
  const Engine engine(instance);
  const Dtype f64 = dtype_named("f64");
  for (const Layout layout : {Layout::compact, Layout::permuted}) {
    std::vector<Box> inputs;
    inputs.emplace_back(random, f64, Extents{5, 3}, layout);
    std::vector<Box> outputs;
    outputs.emplace_back(random, f64, Extents{5, 3});
    const auto check = [&](std::initializer_list<std::uint32_t> arguments, auto expected) {
      Program program(1);
      program.add_constant(f64, {100, 0});
      program.add_output(program.add_node(TENURE_FN_SUBTRACT, f64, arguments));
      REQUIRE(run_program(engine, program, inputs, outputs).code == TENURE_OK);
      for (std::int64_t i = 0; i < outputs[0].count(); ++i) {
        const auto found = static_cast<double>(outputs[0].get(i).re);
        const double wanted = expected(static_cast<double>(inputs[0].get(i).re));
        REQUIRE((found == wanted || (std::isnan(found) && std::isnan(wanted))));
      }
    };
    check({0, 0}, [](double x) { return x - x; });
    check({0, 1}, [](double x) { return x - 100.0; });
    check({1, 0}, [](double x) { return 100.0 - x; });
  }
}

TEST_CASE("Program: an input that its one function does not use must be sound, too") {
  Random random(10);
  const Instance instance;
  const Engine engine(instance);
  const Dtype f64 = dtype_named("f64");
  std::vector<Box> inputs;
  inputs.emplace_back(random, f64, Extents{8});
  inputs.emplace_back(random, f64, Extents{7});
  std::vector<Box> outputs;
  outputs.emplace_back(random, f64, Extents{8});
  const std::vector<std::byte> before = outputs[0].bytes();
  Program program(2);
  program.add_output(program.add_node(TENURE_FN_ADD, f64, {0, 0}));
  CHECK(run_program(engine, program, inputs, outputs).code == TENURE_INVALID_ARGUMENT);
  CHECK(outputs[0].bytes() == before);
}

TEST_CASE("Program: a malformed one is refused in words and nothing is written") {
  Random random(6);
  const Instance instance;
  const Engine engine(instance);
  const Dtype f64 = dtype_named("f64");
  const Dtype f32 = dtype_named("f32");
  std::vector<Box> inputs;
  inputs.emplace_back(random, f64, Extents{8});
  inputs.emplace_back(random, f32, Extents{8});
  std::vector<Box> outputs;
  outputs.emplace_back(random, f64, Extents{8});
  const std::vector<std::byte> before = outputs[0].bytes();

  const auto refused = [&](const Program& program, std::int32_t code) {
    const Outcome outcome = run_program(engine, program, inputs, outputs);
    INFO(outcome.message);
    CHECK(outcome.code == code);
    CHECK_FALSE(outcome.message.empty());
    CHECK(outputs[0].bytes() == before);
  };
  Program forward(2);
  forward.add_output(forward.add_node(TENURE_FN_NEG, f64, {2}));
  refused(forward, TENURE_INVALID_ARGUMENT);
  Program mixed(2);
  mixed.add_output(mixed.add_node(TENURE_FN_ADD, f64, {0, 1}));
  refused(mixed, TENURE_INVALID_ARGUMENT);
  Program wrong_result(2);
  wrong_result.add_output(wrong_result.add_node(TENURE_FN_NEG, f64, {0}));
  wrong_result.nodes()[0].dtype = to_abi(f32);
  refused(wrong_result, TENURE_INVALID_ARGUMENT);
  Program wrong_output(2);
  wrong_output.add_output(1);
  refused(wrong_output, TENURE_INVALID_ARGUMENT);
  Program no_value(2);
  no_value.add_output(9);
  refused(no_value, TENURE_INVALID_ARGUMENT);
  Program no_condition(2);
  no_condition.add_output(no_condition.add_node(TENURE_FN_WHERE, f64, {0, 0, 0}));
  refused(no_condition, TENURE_INVALID_ARGUMENT);
  Program unknown(2);
  unknown.add_output(unknown.add_node(1000, f64, {0}));
  refused(unknown, TENURE_UNIMPLEMENTED);
  Program few(1);
  few.add_output(few.add_node(TENURE_FN_NEG, f64, {0}));
  refused(few, TENURE_INVALID_ARGUMENT);
  inputs[1] = Box(random, f64, {9});
  Program uneven(2);
  uneven.add_output(uneven.add_node(TENURE_FN_ADD, f64, {0, 1}));
  refused(uneven, TENURE_INVALID_ARGUMENT);
}

}  // namespace cpu_test
