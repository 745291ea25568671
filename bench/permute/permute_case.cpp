// SPDX-License-Identifier: Apache-2.0
#include "permute_case.hpp"

#include <memory>
#include <string>

#include "../case_builder.hpp"

namespace tenure::bench {

namespace {

std::string list_text(const std::vector<std::int64_t>& values) {
  std::string text;
  for (const std::int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

// The pattern's source as a view of the compact array, its axes in the order of the destination.
TensorView source_view(const Operand& compact, const Enclosure& enclosure, const Pattern& pattern) {
  TensorView view = std::as_const(*compact.tensor).as_view();
  std::vector<std::int64_t> axes;
  for (const std::int64_t axis : pattern.axes)
    axes.push_back(enclosure.order[static_cast<std::size_t>(axis)]);
  for (std::size_t axis = 0; axis < enclosure.kept.size(); ++axis) {
    if (enclosure.kept[axis] == enclosure.extents[axis]) continue;
    view = view.slice(static_cast<std::int64_t>(axis), {0, enclosure.kept[axis], 1});
  }
  return view.permute(axes);
}

CaseEntry pattern_entry(Setup& setup, const Pattern& pattern, unsigned threads) {
  CaseEntry entry;
  entry.name = "permute/" + pattern.name + '/' + std::to_string(threads) + 't';
  entry.bytes = 3 * static_cast<std::size_t>(pattern.count()) * element_bytes(pattern.element);
  entry.threads = threads;
  entry.make = [&setup, pattern, threads] {
    Random random(setup.seed(), "values");
    const Enclosure enclosure = enclose(pattern);
    const Operand compact = random_operand(random, pattern.element, enclosure.extents);
    const auto source = std::make_shared<TensorView>(source_view(compact, enclosure, pattern));
    const Operand out = zero_operand(
        pattern.element, std::vector<std::int64_t>(source->extents().begin(), source->extents().end()));
    const PermuteJob job{{compact.array.data, pattern.element, out.array.extents,
                          std::vector<std::int64_t>(source->strides().begin(), source->strides().end())},
                         out.array};
    const auto copy = [&](const Engine& engine) {
      return repeat([&engine, source, target = out.tensor] { engine.copy_into(*source, *target); });
    };
    CaseBuilder builder(setup);
    builder.shape(list_text(pattern.extents) + " axes " + list_text(pattern.axes))
        .keep(compact)
        .ours(copy(setup.engine(threads)))
        .against({"loop", "libtorch"}, [&](const Peer& peer) { return peer.permute(job); });
    if (threads > 1) builder.against("serial_engine", copy(setup.engine(1)));
    builder.same_output(out, 0);
    return builder.against({"memcpy"}, [&](const Peer& peer) { return peer.permute(job); }).build();
  };
  return entry;
}

}  // namespace

void add_pattern_cases(Setup& setup, const std::vector<Pattern>& patterns, CaseList& cases) {
  for (const unsigned threads : setup.thread_counts()) {
    for (const Pattern& pattern : patterns) cases.push_back(pattern_entry(setup, pattern, threads));
  }
}

}  // namespace tenure::bench
