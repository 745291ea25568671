// SPDX-License-Identifier: Apache-2.0
// linalg: decompositions of matrices and what they solve, beside LAPACK and the libraries that wrap or
// rewrite it.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "../case_builder.hpp"
#include "suites.hpp"

namespace tenure::bench {

namespace {

constexpr std::int64_t right_sides = 8;

struct Row {
  const char* name;
  LinalgOperation operation;
};

constexpr Row rows[] = {
    {"cholesky", LinalgOperation::cholesky},
    {"lu", LinalgOperation::lu},
    {"qr", LinalgOperation::qr},
    {"solve", LinalgOperation::solve},
    {"triangular_solve", LinalgOperation::triangular_solve},
    {"eigh", LinalgOperation::eigh},
    {"svd", LinalgOperation::svd},
};

struct Size {
  std::string name;
  std::int64_t n;
};

template <class T>
void shape_values(LinalgOperation operation, const Array& array) {
  T* const elements = static_cast<T*>(array.data);
  const std::int64_t n = array.extents[0];
  const bool is_symmetric = operation == LinalgOperation::cholesky || operation == LinalgOperation::eigh;
  for (std::int64_t column = 0; is_symmetric && column < n; ++column) {
    for (std::int64_t row = 0; row < column; ++row) elements[row + column * n] = elements[column + row * n];
  }
  if (operation == LinalgOperation::eigh) return;
  const bool is_diagonal = is_symmetric || operation == LinalgOperation::triangular_solve;
  const T weight = static_cast<T>(is_diagonal ? static_cast<double>(n) : std::sqrt(static_cast<double>(n)));
  for (std::int64_t column = 0; column < n; ++column) {
    elements[(is_diagonal ? column : n - 1 - column) + column * n] += weight;
  }
}

// Well conditioned, so that all contenders must agree: symmetric where it has to be, heavy on the diagonal
// for cholesky and triangular_solve, and else on the other diagonal, which makes LU exchange rows.
Operand matrix_for(Random& random, LinalgOperation operation, Element element, std::int64_t n) {
  Operand a = random_operand(random, element, {n, n}, -1, 1);
  if (element == Element::f32) {
    shape_values<float>(operation, a.array);
  } else {
    shape_values<double>(operation, a.array);
  }
  return a;
}

struct Operands {
  Operand a, b;                  // b: for solves
  std::vector<Operand> outputs;  // but the rows of lu
  std::shared_ptr<Tensor> rows;  // of lu

  Operands(Setup& setup, LinalgOperation operation, Element element, std::int64_t n) {
    Random random(setup.seed(), "values");
    a = matrix_for(random, operation, element, n);
    switch (operation) {
      case LinalgOperation::solve:
      case LinalgOperation::triangular_solve:
        b = random_operand(random, element, {n, right_sides}, -1, 1);
        outputs = {zero_operand(element, {n, right_sides})};
        break;
      case LinalgOperation::cholesky:
        outputs = {zero_operand(element, {n, n})};
        break;
      case LinalgOperation::lu:
        outputs = {zero_operand(element, {n, n})};
        rows = std::make_shared<Tensor>(Tensor::zeros(i64, {n}));
        break;
      case LinalgOperation::qr:
        outputs = {zero_operand(element, {n, n}), zero_operand(element, {n, n})};
        break;
      case LinalgOperation::eigh:
        outputs = {zero_operand(element, {n}), zero_operand(element, {n, n})};
        break;
      case LinalgOperation::svd:
        outputs = {zero_operand(element, {n, n}), zero_operand(element, {n}), zero_operand(element, {n, n})};
        break;
    }
  }

  LinalgJob job(LinalgOperation operation, bool is_allocating) const {
    LinalgJob job{operation, a.array, b.array, {}, is_allocating};
    for (const Operand& output : outputs) job.outputs.push_back(output.array);
    return job;
  }
};

Work ours_allocating(const Engine& engine, LinalgOperation operation, const Operands& operands) {
  const auto a = operands.a.tensor, b = operands.b.tensor;
  switch (operation) {
    case LinalgOperation::cholesky:
      return repeat([&engine, a] { do_not_optimize(engine.cholesky(*a)); });
    case LinalgOperation::lu:
      return repeat([&engine, a] { do_not_optimize(engine.lu(*a)); });
    case LinalgOperation::qr:
      return repeat([&engine, a] { do_not_optimize(engine.qr(*a)); });
    case LinalgOperation::solve:
      return repeat([&engine, a, b] { do_not_optimize(engine.solve(*a, *b)); });
    case LinalgOperation::triangular_solve:
      return repeat([&engine, a, b] { do_not_optimize(engine.triangular_solve(*a, *b)); });
    case LinalgOperation::eigh:
      return repeat([&engine, a] { do_not_optimize(engine.eigh(*a)); });
    case LinalgOperation::svd:
      return repeat([&engine, a] { do_not_optimize(engine.svd(*a)); });
  }
  return {};
}

Work ours_into(const Engine& engine, LinalgOperation operation, const Operands& operands) {
  const auto a = operands.a.tensor, b = operands.b.tensor;
  std::vector<std::shared_ptr<Tensor>> out;
  for (const Operand& output : operands.outputs) out.push_back(output.tensor);
  switch (operation) {
    case LinalgOperation::cholesky:
      return repeat([&engine, a, out] { engine.cholesky_into(*a, *out[0]); });
    case LinalgOperation::lu:
      return repeat([&engine, a, out, rows = operands.rows] { engine.lu_into(*a, *out[0], *rows); });
    case LinalgOperation::qr:
      return repeat([&engine, a, out] { engine.qr_into(*a, *out[0], *out[1]); });
    case LinalgOperation::solve:
      return repeat([&engine, a, b, out] { engine.solve_into(*a, *b, *out[0]); });
    case LinalgOperation::triangular_solve:
      return repeat([&engine, a, b, out] { engine.triangular_solve_into(*a, *b, *out[0]); });
    case LinalgOperation::eigh:
      return repeat([&engine, a, out] { engine.eigh_into(*a, *out[0], *out[1]); });
    case LinalgOperation::svd:
      return repeat([&engine, a, out] { engine.svd_into(*a, *out[0], *out[1], *out[2]); });
  }
  return {};
}

bool has_free_signs(LinalgOperation operation) {
  return operation == LinalgOperation::eigh || operation == LinalgOperation::svd;
}

struct Variant {
  Element element = Element::f64;
  unsigned threads = 1;
  bool is_allocating = false;
};

CaseEntry linalg_entry(Setup& setup, const Row& row, const Size& size, const Variant& variant) {
  CaseEntry entry;
  entry.name = std::string("linalg/") + row.name + (variant.is_allocating ? "/" : "_into/") +
               (variant.element == Element::f32 ? "f32/" : "f64/") + size.name + '/' +
               threads_text(variant.threads);
  entry.bytes = static_cast<std::size_t>(size.n * size.n) * element_bytes(variant.element) * 4;
  entry.threads = variant.threads;
  entry.make = [=, &setup] {
    const Operands operands(setup, row.operation, variant.element, size.n);
    const LinalgJob job = operands.job(row.operation, variant.is_allocating);
    const Engine& engine = setup.engine(variant.threads);
    CaseBuilder builder(setup);
    builder
        .shape(shape_text({size.n, size.n}) +
               (operands.b.tensor != nullptr ? ", " + std::to_string(right_sides) + " right sides" : ""))
        .keep(operands.a)
        .keep(operands.b)
        .ours(variant.is_allocating ? ours_allocating(engine, row.operation, operands)
                                    : ours_into(engine, row.operation, operands));
    if (variant.is_allocating) {
      return builder.against({"eigen", "libtorch"}, [&](const Peer& peer) { return peer.linalg(job); })
          .build();
    }
    builder.against({"lapack", "eigen", "libtorch"}, [&](const Peer& peer) { return peer.linalg(job); });
    const double tolerance = variant.element == Element::f32 ? 1e-4 : 1e-9;
    for (const Operand& output : operands.outputs) {
      if (has_free_signs(row.operation) && output.array.extents.size() == 2) {
        builder.same_magnitudes(output, tolerance);
      } else {
        builder.same_output(output, tolerance);
      }
    }
    return builder.build();
  };
  return entry;
}

}  // namespace

void add_linalg_cases(Setup& setup, CaseList& cases) {
  Random random(setup.seed(), "linalg");
  for (const Row& row : rows) {
    const Size drawn{"drawn-1", random.between(3, 48)}, drawn_large{"drawn-2", random.between(70, 250)};
    for (const Size& size : {Size{"8", 8}, Size{"64", 64}, Size{"256", 256}, drawn, drawn_large}) {
      cases.push_back(linalg_entry(setup, row, size, {}));
    }
    if (setup.threads() > 1) {
      cases.push_back(linalg_entry(setup, row, {"256", 256}, {Element::f64, setup.threads()}));
    }
    for (const Size& size : {Size{"64", 64}, drawn}) {
      cases.push_back(linalg_entry(setup, row, size, {Element::f64, 1, true}));
    }
  }
  for (const Row& row : {rows[0], rows[3]})
    cases.push_back(linalg_entry(setup, row, {"64", 64}, {Element::f32}));
}

}  // namespace tenure::bench
