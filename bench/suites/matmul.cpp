// SPDX-License-Identifier: Apache-2.0
// matmul: products of matrices into a destination, beside direct calls of cblas with as many threads.
#include <optional>
#include <string>
#include <vector>

#include "../case_builder.hpp"
#include "suites.hpp"

namespace tenure::bench {

namespace {

struct Shape {
  std::string name;
  std::int64_t m, n, k;
  std::int64_t count = 0;  // of products side by side; 0: one, without an axis for it
  bool is_left_transposed = false;
};

std::vector<std::int64_t> with_count(std::vector<std::int64_t> extents, std::int64_t count) {
  if (count > 0) extents.push_back(count);
  return extents;
}

CaseEntry matmul_entry(Setup& setup, Element element, const Shape& shape, unsigned threads) {
  CaseEntry entry;
  entry.name = std::string("matmul/") + (element == Element::f32 ? "f32/" : "f64/") + shape.name + '/' +
               threads_text(threads);
  const std::int64_t products = std::max<std::int64_t>(shape.count, 1);
  entry.bytes =
      static_cast<std::size_t>((shape.m * shape.k + shape.k * shape.n + shape.m * shape.n) * products) *
      element_bytes(element);
  entry.threads = threads;
  entry.make = [=, &setup] {
    Random random(setup.seed(), "values");
    const std::vector<std::int64_t> left =
        shape.is_left_transposed ? std::vector{shape.k, shape.m} : std::vector{shape.m, shape.k};
    const Operand a = random_operand(random, element, with_count(left, shape.count), -1, 1);
    const Operand b = random_operand(random, element, with_count({shape.k, shape.n}, shape.count), -1, 1);
    const Operand out = zero_operand(element, with_count({shape.m, shape.n}, shape.count));
    ContractOptions options{{shape.is_left_transposed ? 0 : 1}, {0}};
    if (shape.count > 0) options.left_batch = options.right_batch = {2};
    const MatmulJob job{a.array, b.array, out.array, shape.is_left_transposed};
    return CaseBuilder(setup)
        .shape(shape_text({shape.m, shape.n, shape.k}) +
               (shape.count > 0 ? ", " + std::to_string(shape.count) + " products" : ""))
        .keep(a)
        .keep(b)
        .ours(repeat(
            [&engine = setup.engine(threads), options, left_operand = a.tensor, right_operand = b.tensor,
             target = out.tensor] { engine.contract_into(*left_operand, *right_operand, options, *target); }))
        .against({"cblas", "libtorch"}, [&](const Peer& peer) { return peer.matmul(job); })
        .same_output(out, (element == Element::f32 ? 1e-6 : 1e-15) * static_cast<double>(shape.k + 8))
        .build();
  };
  return entry;
}

}  // namespace

void add_matmul_cases(Setup& setup, CaseList& cases) {
  Random random(setup.seed(), "matmul");
  for (const std::int64_t n : {4, 8, 16}) {
    cases.push_back(matmul_entry(setup, Element::f64, {std::to_string(n), n, n, n}, 1));
  }
  const std::int64_t small = random.between(5, 24);
  cases.push_back(
      matmul_entry(setup, Element::f64, {"drawn-1", random.between(3, 20), random.between(3, 20), small}, 1));
  const auto extent = [&random] { return random.between(60, 900); };
  const Shape drawn{"drawn-2", extent(), extent(), extent()};
  const Shape drawn_transposed{"drawn-3-transposed", extent(), extent(), extent(), 0, true};
  const Shape drawn_batch{"drawn-4-batch", random.between(20, 90), random.between(20, 90),
                          random.between(20, 90), random.between(10, 50)};
  for (const unsigned threads : setup.thread_counts()) {
    for (const std::int64_t n : {64, 256, 1024, 2048}) {
      if (n == 2048 && threads == 1 && setup.threads() > 1) continue;  // for the time that it takes
      cases.push_back(matmul_entry(setup, Element::f64, {std::to_string(n), n, n, n}, threads));
    }
    cases.push_back(matmul_entry(setup, Element::f32, {"512", 512, 512, 512}, threads));
    cases.push_back(matmul_entry(setup, Element::f64, {"batch-32x64", 64, 64, 64, 32}, threads));
    for (const Shape& shape : {drawn, drawn_transposed, drawn_batch}) {
      cases.push_back(matmul_entry(setup, Element::f64, shape, threads));
    }
  }
}

}  // namespace tenure::bench
