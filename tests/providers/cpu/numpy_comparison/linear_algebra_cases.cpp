// SPDX-License-Identifier: Apache-2.0
// Decompositions and solves of matrices and batches of them. What is not read of an operand is arbitrary.
#include <complex>
#include <type_traits>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "element_type.hpp"

namespace tenure::test {

namespace {

constexpr int rounds = 12;

enum class Heavy {
  nowhere,
  diagonal,
  other_diagonal  // makes LU exchange rows
};

// Readings do not broadcast, since elements of them are changed.
Sample draw_matrices(CaseMaker& maker, DType dtype, const Extents& extents, Heavy heavy) {
  Sample sample = maker.draw.sample(dtype, extents, Values::finite, false);
  const Layout& layout = sample.view.layout();
  const std::int64_t n = extents[0];
  if (layout.is_empty() || heavy == Heavy::nowhere) return sample;
  visit_element_type(dtype, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                  std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
      T* const elements = reinterpret_cast<T*>(sample.bytes);
      std::vector<std::int64_t> index(extents.size(), 0);
      for (std::int64_t matrix = 0; matrix < layout.element_count() / (n * n); ++matrix) {
        std::int64_t rest = matrix;
        for (std::size_t axis = 2; axis < extents.size(); ++axis) {
          index[axis] = rest % extents[axis];
          rest /= extents[axis];
        }
        for (std::int64_t row = 0; row < n; ++row) {
          index[0] = row;
          index[1] = heavy == Heavy::diagonal ? row : n - 1 - row;
          elements[layout.element_at(index)] = static_cast<T>(4.0f * static_cast<float>(n) + 8.0f);
        }
      }
    }
  });
  return sample;
}

Extents with_batch(CaseMaker& maker, std::int64_t rows, std::int64_t columns) {
  Extents extents{rows, columns};
  for (std::int64_t axis = maker.draw.between(0, 2); axis > 0; --axis) {
    extents.push_back(maker.draw.between(1, 3));
  }
  return extents;
}

std::int64_t draw_size(CaseMaker& maker) {
  return maker.draw.one_in(12) ? 0 : maker.draw.between(1, maker.draw.one_in(6) ? 40 : 8);
}

// Calls into(views) with a reading for each output.
template <class Into>
Json written(CaseMaker& maker, const std::vector<Tensor>& like, const Into& into) {
  std::vector<Target> targets;
  for (const Tensor& each : like) {
    targets.push_back(maker.draw.target(each.dtype(), Extents(each.extents().begin(), each.extents().end())));
  }
  {
    std::vector<TensorViewMut> views;
    for (const Target& target : targets) views.push_back(target.view());
    into(views);
  }
  return maker.file.arrays(targets);
}

template <class... Owners>
std::vector<Tensor> list_of(Owners&&... owners) {
  std::vector<Tensor> list;
  (list.push_back(std::forward<Owners>(owners)), ...);
  return list;
}

template <class Make, class Into>
void add_case(CaseMaker& maker, const char* name, Json inputs, Json attributes, const Make& make,
              const Into& into) {
  const std::vector<Tensor> made = make(maker.engine());
  const Engine& engine = maker.engine();
  Json results = {{"allocated", maker.file.arrays(made)},
                  {"into", written(maker, made, [&](const auto& views) { into(engine, views); })}};
  maker.file.add(name, name, std::move(inputs), std::move(attributes), std::move(results));
}

using Views = std::vector<TensorViewMut>;

void add_square_cases(CaseMaker& maker, DType dtype) {
  const std::int64_t n = draw_size(maker);
  const Sample a = draw_matrices(maker, dtype, with_batch(maker, n, n), Heavy::diagonal);
  add_case(
      maker, "cholesky", {maker.file.array(a)}, Json::object(),
      [&](const Engine& engine) { return list_of(engine.cholesky(a.view)); },
      [&](const Engine& engine, const Views& out) { engine.cholesky_into(a.view, out[0]); });

  const Sample h = draw_matrices(maker, dtype, with_batch(maker, n, n), Heavy::nowhere);
  add_case(
      maker, "eigh", {maker.file.array(h)}, Json::object(),
      [&](const Engine& engine) {
        auto pairs = engine.eigh(h.view);
        return list_of(std::move(pairs.values), std::move(pairs.vectors));
      },
      [&](const Engine& engine, const Views& out) { engine.eigh_into(h.view, out[0], out[1]); });
}

void add_rectangular_cases(CaseMaker& maker, DType dtype) {
  const Extents extents = with_batch(maker, draw_size(maker), draw_size(maker));
  const Sample a = draw_matrices(maker, dtype, extents, Heavy::nowhere);
  const Json inputs = Json::array({maker.file.array(a)});
  add_case(
      maker, "lu", inputs, Json::object(),
      [&](const Engine& engine) {
        auto lu = engine.lu(a.view);
        return list_of(std::move(lu.factors), std::move(lu.rows));
      },
      [&](const Engine& engine, const Views& out) { engine.lu_into(a.view, out[0], out[1]); });
  add_case(
      maker, "qr", inputs, Json::object(),
      [&](const Engine& engine) {
        auto qr = engine.qr(a.view);
        return list_of(std::move(qr.q), std::move(qr.r));
      },
      [&](const Engine& engine, const Views& out) { engine.qr_into(a.view, out[0], out[1]); });
  add_case(
      maker, "svd", inputs, Json::object(),
      [&](const Engine& engine) {
        auto svd = engine.svd(a.view);
        return list_of(std::move(svd.u), std::move(svd.s), std::move(svd.vh));
      },
      [&](const Engine& engine, const Views& out) { engine.svd_into(a.view, out[0], out[1], out[2]); });
}

void add_solve_cases(CaseMaker& maker, DType dtype) {
  const std::int64_t n = draw_size(maker);
  const Extents extents = with_batch(maker, n, n);
  const auto right_side = [&] {
    Extents right = extents;
    right[1] = maker.draw.between(1, 5);
    for (std::size_t axis = 2; axis < right.size(); ++axis) {
      if (maker.draw.one_in(3)) right[axis] = 1;
    }
    return maker.draw.sample(dtype, right, Values::finite);
  };
  const Sample a = draw_matrices(maker, dtype, extents, Heavy::other_diagonal);
  const Sample b = right_side();
  add_case(
      maker, "solve", {maker.file.array(a), maker.file.array(b)}, Json::object(),
      [&](const Engine& engine) { return list_of(engine.solve(a.view, b.view)); },
      [&](const Engine& engine, const Views& out) { engine.solve_into(a.view, b.view, out[0]); });

  const TriangularOptions options{maker.draw.one_in(2), maker.draw.one_in(3)};
  const Sample t = draw_matrices(maker, dtype, extents, Heavy::diagonal);
  const Sample c = right_side();
  add_case(
      maker, "triangular_solve", {maker.file.array(t), maker.file.array(c)},
      {{"is_upper", options.is_upper}, {"has_unit_diagonal", options.has_unit_diagonal}},
      [&](const Engine& engine) { return list_of(engine.triangular_solve(t.view, c.view, options)); },
      [&](const Engine& engine, const Views& out) {
        engine.triangular_solve_into(t.view, c.view, out[0], options);
      });
}

}  // namespace

void add_linear_algebra_cases(CaseMaker& maker) {
  for (const DType dtype : matrix_dtypes()) {
    for (int round = 0; round < rounds; ++round) {
      add_square_cases(maker, dtype);
      add_rectangular_cases(maker, dtype);
      add_solve_cases(maker, dtype);
    }
  }
}

}  // namespace tenure::test
