// SPDX-License-Identifier: Apache-2.0
// concatenate, pad, reverse, tril, triu and embed_diagonal, of all element types.
#include <algorithm>
#include <span>
#include <vector>

#include "cases.hpp"
#include "element_type.hpp"

namespace tenure::test {

namespace {

constexpr int rounds = 6;

void add_concatenate_case(CaseMaker& maker, DType dtype) {
  Extents extents = maker.draw.extents(1, 4);
  const auto rank = static_cast<std::int64_t>(extents.size());
  const std::int64_t axis = maker.draw.between(-rank, rank - 1);
  std::vector<Sample> samples;
  std::vector<TensorRead> parts;
  Json inputs = Json::array();
  for (std::int64_t part = maker.draw.between(1, 4); part > 0; --part) {
    extents[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = maker.draw.between(0, 6);
    samples.push_back(maker.draw.sample(dtype, extents, Values::any));
    parts.emplace_back(samples.back().view);
    inputs.push_back(maker.file.array(samples.back()));
  }
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.concatenate(parts, axis); },
      [&](const Engine& engine, const TensorViewMut& out) { engine.concatenate_into(parts, axis, out); });
  maker.file.add("concatenate", "concatenate", std::move(inputs), {{"axis", axis}}, std::move(results));
}

void add_pad_case(CaseMaker& maker, DType dtype) {
  const Sample a = maker.draw.sample(dtype, maker.draw.extents(0, 4), Values::any);
  std::vector<Padding> padding;
  Json widths = Json::array();
  for (std::int64_t axis = 0; axis < a.view.rank(); ++axis) {
    padding.push_back({maker.draw.between(0, 2), maker.draw.between(0, 2)});
    widths.push_back({padding.back().before, padding.back().after});
  }
  visit_element_type(dtype, [&]<class T>(std::type_identity<T>) {
    const T value = maker.draw.element<T>(Values::finite);
    Json results = both_forms(
        maker,
        [&](const Engine& engine) { return engine.pad(a.view, std::span<const Padding>(padding), value); },
        [&](const Engine& engine, const TensorViewMut& out) {
          engine.pad_into(a.view, std::span<const Padding>(padding), value, out);
        });
    maker.file.add("pad", "pad", Json::array({maker.file.array(a), maker.file.scalar(value)}),
                   {{"widths", widths}}, std::move(results));
  });
}

void add_reverse_case(CaseMaker& maker, DType dtype) {
  const Sample a = maker.draw.sample(dtype, maker.draw.extents(0, 4), Values::any);
  std::vector<std::int64_t> axes = maker.draw.order(a.view.rank());
  axes.resize(static_cast<std::size_t>(maker.draw.between(0, a.view.rank())));
  const AxisSet set{std::span<const std::int64_t>(axes)};
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.reverse(a.view, set); },
      [&](const Engine& engine, const TensorViewMut& out) { engine.reverse_into(a.view, out, set); });
  maker.file.add("reverse", "reverse", Json::array({maker.file.array(a)}), {{"axes", axes}},
                 std::move(results));
}

void add_triangle_cases(CaseMaker& maker, DType dtype) {
  const Sample a = maker.draw.sample(dtype, maker.draw.extents(2, 4), Values::any);
  const std::int64_t diagonal = maker.draw.between(-4, 4);
  const Json inputs = Json::array({maker.file.array(a)});
  maker.file.add(
      "tril", "tril", inputs, {{"diagonal", diagonal}},
      both_forms(
          maker, [&](const Engine& engine) { return engine.tril(a.view, diagonal); },
          [&](const Engine& engine, const TensorViewMut& out) { engine.tril_into(a.view, out, diagonal); }));
  maker.file.add(
      "triu", "triu", inputs, {{"diagonal", diagonal}},
      both_forms(
          maker, [&](const Engine& engine) { return engine.triu(a.view, diagonal); },
          [&](const Engine& engine, const TensorViewMut& out) { engine.triu_into(a.view, out, diagonal); }));
}

void add_embed_diagonal_case(CaseMaker& maker, DType dtype) {
  const Sample a = maker.draw.sample(dtype, maker.draw.extents(1, 3), Values::any);
  const std::vector<std::int64_t> axes = maker.draw.order(a.view.rank() + 1);
  const DiagonalOptions options{axes[0], axes[1], maker.draw.between(-3, 3)};
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.embed_diagonal(a.view, options); },
      [&](const Engine& engine, const TensorViewMut& out) {
        engine.embed_diagonal_into(a.view, out, options);
      });
  maker.file.add("embed_diagonal", "embed_diagonal", Json::array({maker.file.array(a)}),
                 {{"axis", options.axis}, {"other_axis", options.other_axis}, {"offset", options.offset}},
                 std::move(results));
}

}  // namespace

void add_structural_cases(CaseMaker& maker) {
  for (const DType dtype : all_dtypes()) {
    for (int round = 0; round < rounds; ++round) {
      add_concatenate_case(maker, dtype);
      add_pad_case(maker, dtype);
      add_reverse_case(maker, dtype);
      add_triangle_cases(maker, dtype);
      add_embed_diagonal_case(maker, dtype);
    }
  }
}

}  // namespace tenure::test
