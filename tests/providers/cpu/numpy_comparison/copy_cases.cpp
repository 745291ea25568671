// SPDX-License-Identifier: Apache-2.0
// copy, fill_into and the whole matrix of casts.
#include "cases.hpp"
#include "element_type.hpp"

namespace tenure::test {

namespace {

constexpr int rounds = 12;
const Extents large{301, 233};

void add_copy_case(CaseMaker& maker, DType dtype, const Extents& extents) {
  const Sample source = maker.draw.sample(dtype, extents, Values::any);
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.copy(source.view); },
      [&](const Engine& engine, const TensorViewMut& out) { engine.copy_into(source.view, out); });
  maker.file.add("copy", "copy", Json::array({maker.file.array(source)}), Json::object(), std::move(results));
}

void add_cast_case(CaseMaker& maker, DType from, DType to) {
  const Sample source = maker.draw.sample(from, maker.draw.extents(0, 4), Values::any);
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.cast(source.view, to); },
      [&](const Engine& engine, const TensorViewMut& out) { engine.cast_into(source.view, out); });
  maker.file.add("cast", "cast", Json::array({maker.file.array(source)}), {{"dtype", to.name()}},
                 std::move(results));
}

void add_fill_case(CaseMaker& maker, DType dtype) {
  const Target target = maker.draw.target(dtype, maker.draw.extents(0, 4));
  const Json value = visit_element_type(dtype, [&]<class T>(std::type_identity<T>) {
    const T element = maker.draw.element<T>(Values::any);
    maker.engine().fill_into(Scalar(element), target.view());
    return maker.file.scalar(element);
  });
  maker.file.add("fill", "fill", Json::array({value}), Json::object(),
                 {{"into", Json::array({maker.file.array(target)})}});
}

}  // namespace

void add_copy_cases(CaseMaker& maker) {
  for (const DType dtype : all_dtypes()) {
    for (int round = 0; round < rounds; ++round) {
      add_copy_case(maker, dtype, maker.draw.extents(0, 4));
      add_fill_case(maker, dtype);
    }
    for (const DType to : all_dtypes()) {
      for (int round = 0; round < 3; ++round) add_cast_case(maker, dtype, to);
    }
  }
  add_copy_case(maker, f64, large);
}

}  // namespace tenure::test
