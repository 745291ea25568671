// SPDX-License-Identifier: Apache-2.0
// gather and scatter, of all element types.
#include <cstdint>

#include "cases.hpp"

namespace tenure::test {

namespace {

constexpr int rounds = 8;

// Readings never repeat an element here, since each is overwritten with an index that is in range.
Sample draw_indices(Draw& draw, Extents extents, std::int64_t axis, std::int64_t limit) {
  const auto along = static_cast<std::size_t>(axis);
  for (std::size_t each = 0; each < extents.size(); ++each) {
    if (each != along && draw.one_in(3)) extents[each] = 1;
  }
  extents[along] = draw.between(0, 8);
  const Sample sample = draw.sample(i64, extents, Values::finite);
  auto* const elements = reinterpret_cast<std::int64_t*>(sample.bytes);
  for (std::int64_t element = 0; element < sample.owner->element_count(); ++element) {
    elements[element] = draw.between(0, limit - 1);
  }
  return sample;
}

struct Place {
  Extents extents;
  std::int64_t axis;
  std::int64_t limit;  // of indices

  explicit Place(Draw& draw) : extents(draw.extents(1, 4, 1)) {
    axis = draw.between(0, static_cast<std::int64_t>(extents.size()) - 1);
    limit = extents[static_cast<std::size_t>(axis)];
  }
  std::int64_t either(Draw& draw) const {
    return draw.one_in(2) ? axis : axis - static_cast<std::int64_t>(extents.size());
  }
};

void add_gather_case(CaseMaker& maker, DType dtype) {
  const Place place(maker.draw);
  const Sample a = maker.draw.sample(dtype, place.extents, Values::any);
  const Sample indices = draw_indices(maker.draw, place.extents, place.axis, place.limit);
  const std::int64_t axis = place.either(maker.draw);
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.gather(a.view, indices.view, axis); },
      [&](const Engine& engine, const TensorViewMut& out) {
        engine.gather_into(a.view, indices.view, axis, out);
      });
  maker.file.add("gather", "gather", Json::array({maker.file.array(a), maker.file.array(indices)}),
                 {{"axis", axis}}, std::move(results));
}

void add_scatter_case(CaseMaker& maker, DType dtype) {
  const Place place(maker.draw);
  const Sample a = maker.draw.sample(dtype, place.extents, Values::any);
  const Sample indices = draw_indices(maker.draw, place.extents, place.axis, place.limit);
  Extents extents = place.extents;
  extents[static_cast<std::size_t>(place.axis)] = indices.view.extent(place.axis);
  const Sample updates = maker.draw.sample(dtype, extents, Values::any);
  const std::int64_t axis = place.either(maker.draw);
  // The `_into` form replaces elements of what is there already.
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.scatter(a.view, indices.view, updates.view, axis); },
      [&](const Engine& engine, const TensorViewMut& out) {
        engine.copy_into(a.view, out);
        engine.scatter_into(indices.view, updates.view, axis, out);
      });
  maker.file.add("scatter", "scatter",
                 Json::array({maker.file.array(a), maker.file.array(indices), maker.file.array(updates)}),
                 {{"axis", axis}}, std::move(results));
}

}  // namespace

void add_index_cases(CaseMaker& maker) {
  for (const DType dtype : all_dtypes()) {
    for (int round = 0; round < rounds; ++round) {
      add_gather_case(maker, dtype);
      add_scatter_case(maker, dtype);
    }
  }
}

}  // namespace tenure::test
