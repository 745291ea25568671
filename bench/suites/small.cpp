// SPDX-License-Identifier: Apache-2.0
// small: operations that take so little that everything around them shows, on the serial engine.
#include <memory>
#include <string>

#include "../case_builder.hpp"
#include "../provider_tables.hpp"
#include "suites.hpp"

namespace tenure::bench {

namespace {

struct Operands {
  Operand a, b, out;

  Operands(Setup& setup, const std::vector<std::int64_t>& extents) {
    Random random(setup.seed(), "values");
    a = random_operand(random, Element::f64, extents);
    b = random_operand(random, Element::f64, extents);
    out = zero_operand(Element::f64, extents);
  }
};

CaseEntry add_entry(Setup& setup, const std::string& shape, std::int64_t count, bool is_allocating) {
  CaseEntry entry;
  entry.name = std::string(is_allocating ? "small/add/" : "small/add_into/") + shape;
  entry.bytes = static_cast<std::size_t>(count) * sizeof(double) * 3;
  entry.make = [=, &setup] {
    const Operands operands(setup, {count});
    const Engine& engine = setup.engine(1);
    CaseBuilder builder(setup);
    builder.shape(std::to_string(count) + " f64").keep(operands.a).keep(operands.b);
    const auto peers = [&](const Peer& peer) {
      return peer.elementwise(
          {Operation::add, {operands.a.array, operands.b.array}, operands.out.array, is_allocating});
    };
    if (is_allocating) {
      return builder
          .ours(repeat([&engine, a = operands.a.tensor, b = operands.b.tensor] {
            const Tensor result = engine.add(*a, *b);
            do_not_optimize(result);
          }))
          .against({"eigen", "libtorch"}, peers)
          .build();
    }
    return builder
        .ours(repeat([&engine, a = operands.a.tensor, b = operands.b.tensor, out = operands.out.tensor] {
          engine.add_into(*a, *b, *out);
        }))
        .against({"loop", "eigen", "libtorch"}, peers)
        .same_output(operands.out, 0)
        .build();
  };
  return entry;
}

CaseEntry matmul_entry(Setup& setup, const std::string& shape, std::int64_t n) {
  CaseEntry entry;
  entry.name = "small/matmul/" + shape;
  entry.bytes = 1 << 16;
  entry.make = [=, &setup] {
    const Operands operands(setup, {n, n});
    return CaseBuilder(setup)
        .shape(shape_text({n, n, n}))
        .keep(operands.a)
        .keep(operands.b)
        .ours(repeat([&engine = setup.engine(1), a = operands.a.tensor, b = operands.b.tensor] {
          const Tensor result = engine.matmul(*a, *b);
          do_not_optimize(result);
        }))
        .against({"eigen", "libtorch"},
                 [&](const Peer& peer) {
                   return peer.matmul({operands.a.array, operands.b.array, operands.out.array, false, true});
                 })
        .build();
  };
  return entry;
}

// A function of the provider that only answers a number, beside one of this program that does.
[[gnu::noinline]] std::uint64_t answer_one(tenure_instance* instance) noexcept {
  do_not_optimize(instance);
  return 1;
}

CaseEntry boundary_entry(Setup& setup) {
  CaseEntry entry;
  entry.name = "small/boundary";
  entry.make = [&setup] {
    const auto tables = std::make_shared<ProviderTables>(setup.provider_file());
    return CaseBuilder(setup)
        .shape("a call that answers a number")
        .ours(repeat([tables] { do_not_optimize(tables->api().domain_count(tables->instance())); }))
        .against("direct_call", repeat([tables] { do_not_optimize(answer_one(tables->instance())); }))
        .build();
  };
  return entry;
}

}  // namespace

void add_small_cases(Setup& setup, CaseList& cases) {
  Random random(setup.seed(), "small");
  const std::int64_t drawn = random.between(3, 1500);
  for (const bool is_allocating : {true, false}) {
    cases.push_back(add_entry(setup, "64", 64, is_allocating));
    cases.push_back(add_entry(setup, "1Ki", 1024, is_allocating));
    cases.push_back(add_entry(setup, "drawn-1", drawn, is_allocating));
  }
  cases.push_back(matmul_entry(setup, "4x4", 4));
  cases.push_back(matmul_entry(setup, "drawn-1", random.between(2, 12)));
  cases.push_back(boundary_entry(setup));
}

}  // namespace tenure::bench
