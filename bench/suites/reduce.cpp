// SPDX-License-Identifier: Apache-2.0
// reduce: over all elements and over either axis of a matrix, beside reading all of it.
#include <string>
#include <vector>

#include "../case_builder.hpp"
#include "suites.hpp"

namespace tenure::bench {

namespace {

struct Row {
  const char* name;
  Operation operation;
  Reduction reduction;
};

struct Shape {
  std::string name;
  std::vector<std::int64_t> extents;
};

// `axis` is -1 for all elements.
CaseEntry reduce_entry(Setup& setup, const Row& row, Element element, const Shape& shape, std::int64_t axis,
                       unsigned threads) {
  CaseEntry entry;
  entry.name = std::string("reduce/") + row.name + (axis < 0 ? "_all" : "_axis" + std::to_string(axis)) +
               '/' + (element == Element::f32 ? "f32" : "f64") + '/' + shape.name + '/' +
               threads_text(threads);
  std::size_t count = 1;
  for (const std::int64_t extent : shape.extents) count *= static_cast<std::size_t>(extent);
  entry.bytes = count * element_bytes(element);
  entry.threads = threads;
  entry.make = [=, &setup] {
    Random random(setup.seed(), "values");
    const Operand input = random_operand(random, element, shape.extents);
    std::vector<std::int64_t> kept;
    if (axis >= 0) kept.push_back(shape.extents[static_cast<std::size_t>(1 - axis)]);
    const Operand out = zero_operand(element, kept);
    const Operand total = zero_operand(element, {});
    ReduceOptions options;
    if (axis >= 0) options.axes = AxisSet{axis};
    const auto reduce = [&](const Engine& engine) {
      return repeat([&engine, reduction = row.reduction, a = input.tensor, target = out.tensor, options] {
        engine.reduce_into(reduction, *a, *target, options);
      });
    };
    CaseBuilder builder(setup);
    builder.shape(shape_text(shape.extents))
        .keep(input)
        .keep(total)
        .ours(reduce(setup.engine(threads)))
        .against({"eigen", "libtorch"}, [&](const Peer& peer) {
          return peer.reduce({row.operation, input.array, axis, out.array});
        });
    if (threads > 1) builder.against("serial_engine", reduce(setup.engine(1)));
    builder.same_output(out, element == Element::f32 ? 2e-4 : 1e-11);
    // Reads every element once, whatever the axis: what a reduction cannot beat.
    builder.against("read", setup.peer("loop")->reduce({Operation::sum, input.array, -1, total.array}));
    return builder.build();
  };
  return entry;
}

}  // namespace

void add_reduce_cases(Setup& setup, CaseList& cases) {
  Random random(setup.seed(), "reduce");
  const Shape square{"4096x4096", {4096, 4096}};
  const Shape drawn{"drawn-1", {random.between(500, 4000), random.between(500, 4000)}};
  const Shape narrow{"drawn-2", {random.between(3, 60), random.between(20'000, 90'000)}};
  const Row sum{"sum", Operation::sum, Reduction::sum}, max{"max", Operation::max, Reduction::max};

  for (const unsigned threads : setup.thread_counts()) {
    for (const Element element : {Element::f64, Element::f32}) {
      cases.push_back(reduce_entry(setup, sum, element, square, -1, threads));
    }
    for (const Row& row : {sum, max}) {
      for (const std::int64_t axis : {0, 1}) {
        cases.push_back(reduce_entry(setup, row, Element::f64, square, axis, threads));
      }
    }
    for (const Shape& shape : {drawn, narrow}) {
      cases.push_back(reduce_entry(setup, sum, Element::f64, shape, 0, threads));
      cases.push_back(reduce_entry(setup, max, Element::f64, shape, 1, threads));
    }
  }
  cases.push_back(reduce_entry(setup, sum, Element::f64, {"32Ki", {256, 128}}, -1, 1));
}

}  // namespace tenure::bench
