// SPDX-License-Identifier: Apache-2.0
// Every reduction of the operation table for every element type that it takes, over any axes.
#include <string>
#include <vector>

#include "cases.hpp"
#include "tenure/abi/operation_table.hpp"

namespace tenure::test {

namespace {

constexpr int rounds = 10;
const Extents large{301, 233};

std::vector<std::int64_t> draw_axes(Draw& draw, std::int64_t rank) {
  std::vector<std::int64_t> axes;
  for (const std::int64_t axis : draw.order(rank)) {
    if (draw.one_in(2)) axes.push_back(draw.one_in(3) ? axis - rank : axis);
  }
  return axes;
}

void add_reduction_case(CaseMaker& maker, const abi::ReductionRow& row, DType dtype, const Extents& extents) {
  const auto reduction = static_cast<Reduction>(row.function);
  // Products of many elements stay within the range.
  const Values values = reduction == Reduction::prod ? Values::nonzero : Values::any;
  const Sample a = maker.draw.sample(dtype, extents, values);
  const std::vector<std::int64_t> axes = draw_axes(maker.draw, a.view.rank());
  ReduceOptions options;
  options.keep_axes = maker.draw.one_in(3);
  const bool is_over_all = maker.draw.one_in(4);
  if (!is_over_all) options.axes = AxisSet(std::span<const std::int64_t>(axes));
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.reduce(reduction, a.view, options); },
      [&](const Engine& engine, const TensorViewMut& out) {
        engine.reduce_into(reduction, a.view, out, options);
      });
  const Json attributes = {{"axes", is_over_all ? Json() : Json(axes)}, {"keep_axes", options.keep_axes}};
  maker.file.add("reduce", std::string(row.name), Json::array({maker.file.array(a)}), attributes,
                 std::move(results));
}

}  // namespace

void add_reduction_cases(CaseMaker& maker) {
  for (const abi::ReductionRow& row : abi::reduction_table) {
    const std::int64_t extent_min = row.empty_is_defined ? 0 : 1;
    for (const DType dtype : all_dtypes()) {
      if ((row.operand_classes & abi::class_of(dtype.abi())) == 0) continue;
      for (int round = 0; round < rounds; ++round) {
        add_reduction_case(maker, row, dtype, maker.draw.extents(0, 4, extent_min));
      }
    }
    const DType dtype = (row.operand_classes & abi::class_floating) != 0 ? f64 : boolean;
    add_reduction_case(maker, row, dtype, large);
  }
}

}  // namespace tenure::test
