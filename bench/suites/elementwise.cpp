// SPDX-License-Identifier: Apache-2.0
// elementwise: functions of every element, into a destination and into a new result.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../case_builder.hpp"
#include "suites.hpp"

namespace tenure::bench {

namespace {

constexpr std::int64_t kibi = 1024;
constexpr std::int64_t mebi = 1024 * kibi;

// By the name that the operation table has, because a table that grows later brings its rows with it.
std::optional<Function> function_named(std::string_view name) {
  for (const abi::FunctionRow& row : abi::function_table) {
    if (row.name == name) return static_cast<Function>(row.function);
  }
  return std::nullopt;
}

struct Named {
  const char* name;
  Operation operation;
};

const char* element_name(Element element) { return element == Element::f32 ? "f32" : "f64"; }
double tolerance_of(Element element) { return element == Element::f32 ? 4e-6 : 1e-14; }

struct Shape {
  std::string name;
  std::int64_t count;
};

std::string row_name(const std::string& operation, Element element, const Shape& shape, unsigned threads) {
  return "elementwise/" + operation + '/' + element_name(element) + '/' + shape.name + '/' +
         threads_text(threads);
}

ElementwiseJob job_of(Operation operation, const std::vector<Operand>& inputs, const Operand& out) {
  ElementwiseJob job{operation, {}, out.array, false};
  for (const Operand& input : inputs) job.inputs.push_back(input.array);
  return job;
}

std::vector<Operand> random_inputs(Setup& setup, Element element, std::int64_t count, std::uint32_t arity) {
  Random random(setup.seed(), "values");
  std::vector<Operand> inputs;
  for (std::uint32_t input = 0; input < arity; ++input)
    inputs.push_back(random_operand(random, element, {count}));
  return inputs;
}

std::vector<ElementwiseInput> reads_of(const std::vector<Operand>& inputs) {
  std::vector<ElementwiseInput> reads;
  for (const Operand& input : inputs) reads.emplace_back(TensorRead(*input.tensor));
  return reads;
}

CaseEntry into_entry(Setup& setup, const Named& named, Function function, Element element, const Shape& shape,
                     unsigned threads, const PeerNames& peers) {
  CaseEntry entry;
  const std::uint32_t arity = row_of(function).arity;
  entry.name = row_name(std::string(named.name) + "_into", element, shape, threads);
  entry.bytes = static_cast<std::size_t>(shape.count) * element_bytes(element) * (arity + 1);
  entry.threads = threads;
  entry.make = [=, &setup] {
    const std::vector<Operand> inputs = random_inputs(setup, element, shape.count, arity);
    const Operand out = zero_operand(element, {shape.count});
    const Engine& engine = setup.engine(threads);
    CaseBuilder builder(setup);
    for (const Operand& input : inputs) builder.keep(input);
    builder.shape(std::to_string(shape.count))
        .ours(repeat([&engine, function, reads = reads_of(inputs), target = out.tensor] {
          engine.apply_into(function, reads, *target);
        }))
        .against(peers,
                 [&](const Peer& peer) { return peer.elementwise(job_of(named.operation, inputs, out)); });
    if (threads > 1) {
      builder.against("serial_engine",
                      repeat([&engine = setup.engine(1), function, reads = reads_of(inputs),
                              target = out.tensor] { engine.apply_into(function, reads, *target); }));
    }
    return builder.same_output(out, tolerance_of(element)).build();
  };
  return entry;
}

CaseEntry allocating_entry(Setup& setup, const Named& named, Function function, Element element,
                           const Shape& shape, unsigned threads) {
  CaseEntry entry;
  const std::uint32_t arity = row_of(function).arity;
  entry.name = row_name(named.name, element, shape, threads);
  entry.bytes = static_cast<std::size_t>(shape.count) * element_bytes(element) * (arity + 2);
  entry.threads = threads;
  entry.make = [=, &setup] {
    const std::vector<Operand> inputs = random_inputs(setup, element, shape.count, arity);
    CaseBuilder builder(setup);
    for (const Operand& input : inputs) builder.keep(input);
    return builder.shape(std::to_string(shape.count))
        .ours(repeat([&engine = setup.engine(threads), function, reads = reads_of(inputs)] {
          const Tensor result = engine.apply(function, reads);
          do_not_optimize(result);
        }))
        .against({"eigen", "libtorch"},
                 [&](const Peer& peer) {
                   ElementwiseJob job = job_of(named.operation, inputs, inputs[0]);
                   job.is_allocating = true;
                   return peer.elementwise(job);
                 })
        .build();
  };
  return entry;
}

CaseEntry copy_entry(Setup& setup, Element element, const Shape& shape, unsigned threads) {
  CaseEntry entry;
  entry.name = row_name("copy_into", element, shape, threads);
  entry.bytes = static_cast<std::size_t>(shape.count) * element_bytes(element) * 2;
  entry.threads = threads;
  entry.make = [=, &setup] {
    const std::vector<Operand> inputs = random_inputs(setup, element, shape.count, 1);
    const Operand out = zero_operand(element, {shape.count});
    const auto copy = [&](const Engine& engine) {
      return repeat(
          [&engine, source = inputs[0].tensor, target = out.tensor] { engine.copy_into(*source, *target); });
    };
    CaseBuilder builder(setup);
    builder.shape(std::to_string(shape.count))
        .ours(copy(setup.engine(threads)))
        .against({"memcpy", "streaming_loop", "libtorch"},
                 [&](const Peer& peer) { return peer.elementwise(job_of(Operation::copy, inputs, out)); });
    if (threads > 1) builder.against("serial_engine", copy(setup.engine(1)));
    return builder.same_output(out, 0).build();
  };
  return entry;
}

// function(a) * exp(a): as a program in one pass, and as three operations.
CaseEntry program_entry(Setup& setup, const Named& named, Function function, const Shape& shape,
                        unsigned threads) {
  CaseEntry entry;
  entry.name = row_name(std::string("program_") + named.name, Element::f64, shape, threads);
  entry.bytes = static_cast<std::size_t>(shape.count) * sizeof(double) * 4;
  entry.threads = threads;
  entry.make = [=, &setup] {
    const std::vector<Operand> inputs = random_inputs(setup, Element::f64, shape.count, 1);
    const Operand out = zero_operand(Element::f64, {shape.count});
    const Operand first = zero_operand(Element::f64, {shape.count});
    const auto program = std::make_shared<Program>();
    const Program::Value x = program->input(f64);
    program->output(program->apply(Function::multiply,
                                   {program->apply(function, {x}), program->apply(Function::exp, {x})}));
    const Engine& engine = setup.engine(threads);
    return CaseBuilder(setup)
        .shape(std::to_string(shape.count))
        .keep(inputs[0])
        .ours(repeat([&engine, program, a = inputs[0].tensor, target = out.tensor] {
          engine.run_into(*program, {*a}, {*target});
        }))
        .against("one_by_one",
                 repeat([&engine, function, a = inputs[0].tensor, target = out.tensor, other = first.tensor] {
                   engine.apply_into(function, {TensorRead(*a)}, *other);
                   engine.apply_into(Function::exp, {TensorRead(*a)}, *target);
                   engine.apply_into(Function::multiply, {TensorRead(*other), TensorRead(*target)}, *target);
                 }))
        .against({"eigen", "libtorch"},
                 [&](const Peer& peer) { return peer.elementwise(job_of(named.operation, inputs, out)); })
        .same_output(out, 1e-14)
        .build();
  };
  return entry;
}

void add_transcendental(Setup& setup, CaseList& cases, const Shape& shape, unsigned threads) {
  for (const Named& named :
       {Named{"sqrt", Operation::sqrt}, Named{"exp", Operation::exp}, Named{"log", Operation::log},
        Named{"sin", Operation::sin}, Named{"tanh", Operation::tanh}}) {
    const auto function = function_named(named.name);
    if (!function) continue;
    for (const Element element : {Element::f32, Element::f64}) {
      cases.push_back(into_entry(setup, named, *function, element, shape, threads, {"eigen", "libtorch"}));
    }
  }
}

}  // namespace

void add_elementwise_cases(Setup& setup, CaseList& cases) {
  Random random(setup.seed(), "elementwise");
  const Shape large{"16Mi", 16 * mebi}, cached{"32Ki", 32 * kibi};
  const Shape drawn_large{"drawn-1", random.between(2 * mebi, 12 * mebi)};
  const Shape drawn_small{"drawn-2", random.between(2 * kibi, 60 * kibi)};
  const Named add{"add", Operation::add};

  for (const unsigned threads : setup.thread_counts()) {
    for (const Element element : {Element::f64, Element::f32}) {
      cases.push_back(into_entry(setup, add, Function::add, element, large, threads,
                                 {"streaming_loop", "loop", "eigen", "libtorch"}));
    }
    cases.push_back(into_entry(setup, add, Function::add, Element::f64, drawn_large, threads,
                               {"streaming_loop", "loop", "eigen", "libtorch"}));
    cases.push_back(allocating_entry(setup, add, Function::add, Element::f64, large, threads));
    cases.push_back(copy_entry(setup, Element::f64, large, threads));
  }
  for (const Shape& shape : {cached, drawn_small}) {
    for (const Element element : {Element::f64, Element::f32}) {
      cases.push_back(
          into_entry(setup, add, Function::add, element, shape, 1, {"loop", "eigen", "xtensor", "libtorch"}));
    }
  }
  cases.push_back(allocating_entry(setup, add, Function::add, Element::f64, cached, 1));
  add_transcendental(setup, cases, cached, 1);
  add_transcendental(setup, cases, drawn_small, 1);
  for (const Named& named :
       {Named{"sqrt", Operation::sqrt_exp_multiply}, Named{"log1p", Operation::log1p_exp_multiply}}) {
    const auto function = function_named(named.name);
    if (!function) continue;
    for (const Shape& shape : {Shape{"4Mi", 4 * mebi}, drawn_large}) {
      cases.push_back(program_entry(setup, named, *function, shape, setup.threads()));
    }
  }
}

}  // namespace tenure::bench
