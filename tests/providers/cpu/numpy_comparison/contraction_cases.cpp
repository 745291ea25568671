// SPDX-License-Identifier: Apache-2.0
// matmul and contract, with and without accumulation.
#include <complex>
#include <string>
#include <vector>

#include "cases.hpp"
#include "element_type.hpp"

namespace tenure::test {

namespace {

constexpr int rounds = 20;

// Sums of integers wrap, so any of them will do.
Values factors_of(DType dtype) { return dtype.is_integer() ? Values::any : Values::finite; }

std::vector<DType> product_dtypes() {
  std::vector<DType> dtypes = matrix_dtypes();
  dtypes.insert(dtypes.end(), {i8, i16, i32, i64, u8, u16, u32, u64});
  return dtypes;
}

std::int64_t draw_extent(Draw& draw) {
  return draw.one_in(15) ? 0 : draw.between(1, draw.one_in(8) ? 40 : 6);
}

// result = alpha * product + beta * what was there.
struct Accumulated {
  Accumulation accumulation;
  Json description;  // alpha and beta

  Accumulated(CaseMaker& maker, DType dtype) {
    visit_element_type(dtype, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_constructible_v<Scalar, T>) {
        const T alpha = maker.draw.element<T>(Values::finite), beta = maker.draw.element<T>(Values::finite);
        accumulation = {alpha, beta};
        description = {maker.file.scalar(alpha), maker.file.scalar(beta)};
      }
    });
  }
};

// The labels of the axes of both operands and of the result, as einsum writes them.
struct Contraction {
  std::string left, right, out;
  Extents left_extents, right_extents, out_extents;
  ContractOptions options;

  explicit Contraction(Draw& draw) {
    std::vector<char> labels;
    Extents extents;
    const auto take = [&] {
      labels.push_back(static_cast<char>('a' + labels.size()));
      extents.push_back(draw_extent(draw));
      return labels.back();
    };
    std::string contracted, batch;
    std::string free_of_left, free_of_right;
    for (std::int64_t each = draw.between(0, 2); each > 0; --each) contracted += take();
    for (std::int64_t each = draw.between(0, 1); each > 0; --each) batch += take();
    for (std::int64_t each = draw.between(0, 2); each > 0; --each) free_of_left += take();
    for (std::int64_t each = draw.between(0, 2); each > 0; --each) free_of_right += take();
    const auto shuffled = [&](const std::string& all) {
      std::string text;
      for (const std::int64_t place : draw.order(static_cast<std::int64_t>(all.size()))) {
        text += all[static_cast<std::size_t>(place)];
      }
      return text;
    };
    left = shuffled(contracted + batch + free_of_left);
    right = shuffled(contracted + batch + free_of_right);
    for (const std::string* side : {&left, &right}) {
      for (const char label : *side) {
        if ((contracted + batch).find(label) == std::string::npos) out += label;
      }
    }
    out += batch;
    const auto places = [](const std::string& side, const std::string& wanted) {
      std::vector<std::int64_t> axes;
      for (const char label : wanted) axes.push_back(static_cast<std::int64_t>(side.find(label)));
      return axes;
    };
    const auto extents_of = [&](const std::string& side) {
      Extents list;
      for (const char label : side) list.push_back(extents[static_cast<std::size_t>(label - 'a')]);
      return list;
    };
    options = {places(left, contracted), places(right, contracted),
               places(left, batch),      places(right, batch),
               draw.one_in(3),           draw.one_in(3)};
    left_extents = extents_of(left);
    right_extents = extents_of(right);
    out_extents = extents_of(out);
  }
  Json attributes() const {
    return {{"equation", left + ',' + right + "->" + out},
            {"conjugate_left", options.conjugate_left},
            {"conjugate_right", options.conjugate_right}};
  }
};

void add_contract_cases(CaseMaker& maker, DType dtype) {
  const Contraction drawn(maker.draw);
  const Sample a = maker.draw.sample(dtype, drawn.left_extents, factors_of(dtype));
  const Sample b = maker.draw.sample(dtype, drawn.right_extents, factors_of(dtype));
  const Json inputs = {maker.file.array(a), maker.file.array(b)};
  maker.file.add(
      "contract", "contract", inputs, drawn.attributes(),
      both_forms(
          maker, [&](const Engine& engine) { return engine.contract(a.view, b.view, drawn.options); },
          [&](const Engine& engine, const TensorViewMut& out) {
            engine.contract_into(a.view, b.view, drawn.options, out);
          }));

  const Accumulated accumulated(maker, dtype);
  const Target target = maker.draw.target(dtype, drawn.out_extents);
  Json more = inputs;
  more.push_back(maker.file.array(target));
  for (const Json& each : accumulated.description) more.push_back(each);
  maker.engine().contract_into(a.view, b.view, drawn.options, target.view(), accumulated.accumulation);
  maker.file.add("contract", "contract", std::move(more), drawn.attributes(),
                 {{"into", Json::array({maker.file.array(target)})}});
}

void add_matmul_cases(CaseMaker& maker, DType dtype, std::int64_t m, std::int64_t n, std::int64_t k) {
  const Sample a = maker.draw.sample(dtype, {m, k}, factors_of(dtype));
  const Sample b = maker.draw.sample(dtype, {k, n}, factors_of(dtype));
  const Json inputs = {maker.file.array(a), maker.file.array(b)};
  const Json attributes = {{"equation", "ab,bc->ac"}, {"conjugate_left", false}, {"conjugate_right", false}};
  maker.file.add(
      "matmul", "matmul", inputs, attributes,
      both_forms(
          maker, [&](const Engine& engine) { return engine.matmul(a.view, b.view); },
          [&](const Engine& engine, const TensorViewMut& out) { engine.matmul_into(a.view, b.view, out); }));

  const Accumulated accumulated(maker, dtype);
  const Target target = maker.draw.target(dtype, {m, n});
  Json more = inputs;
  more.push_back(maker.file.array(target));
  for (const Json& each : accumulated.description) more.push_back(each);
  maker.engine().matmul_into(a.view, b.view, target.view(), accumulated.accumulation);
  maker.file.add("matmul", "matmul", std::move(more), attributes,
                 {{"into", Json::array({maker.file.array(target)})}});
}

}  // namespace

void add_contraction_cases(CaseMaker& maker) {
  for (const DType dtype : product_dtypes()) {
    for (int round = 0; round < rounds; ++round) {
      add_contract_cases(maker, dtype);
      add_matmul_cases(maker, dtype, draw_extent(maker.draw), draw_extent(maker.draw),
                       draw_extent(maker.draw));
    }
    add_matmul_cases(maker, dtype, 130, 97, 150);
  }
}

}  // namespace tenure::test
