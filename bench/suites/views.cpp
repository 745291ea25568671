// SPDX-License-Identifier: Apache-2.0
// views: other readings of the same memory, adoption, and decisions about overlap.
#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../case_builder.hpp"
#include "suites.hpp"
#include "tenure/layout/overlap.hpp"

namespace tenure::bench {

namespace {

using Extents = std::vector<std::int64_t>;

// The same view of ours and of the peers. `view` takes a tensor's view and makes the other one.
template <class MakeView>
CaseEntry view_entry(Setup& setup, const std::string& name, ViewKind kind, const Extents& extents,
                     MakeView make_view) {
  CaseEntry entry;
  entry.name = "views/" + name;
  entry.bytes = 1 << 20;
  entry.make = [&setup, kind, extents, make_view] {
    const Operand operand = zero_operand(Element::f64, extents);
    const auto view = std::make_shared<TensorView>(std::as_const(*operand.tensor).as_view());
    return CaseBuilder(setup)
        .shape(shape_text(extents))
        .keep(operand)
        .ours(repeat([view, make_view] {
          const auto made = make_view(*view);
          do_not_optimize(made);
        }))
        .against({"libtorch", "xtensor"},
                 [&](const Peer& peer) {
                   return peer.view({kind, operand.array});
                 })
        .build();
  };
  return entry;
}

void add_transforms(Setup& setup, CaseList& cases, const std::string& suffix, const Extents& extents) {
  const auto rank = static_cast<std::int64_t>(extents.size());
  Extents axes(extents.size());
  for (std::int64_t axis = 0; axis < rank; ++axis) axes[static_cast<std::size_t>(axis)] = (axis + 1) % rank;
  const Extents all{std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>())};
  const Layout compact = Layout::column_major(extents);
  const Extents strides(compact.strides().begin(), compact.strides().end());

  cases.push_back(view_entry(setup, "transpose/" + suffix, ViewKind::transpose, extents,
                             [](const TensorView& view) { return view.transposed(); }));
  cases.push_back(view_entry(setup, "permute/" + suffix, ViewKind::permute, extents,
                             [axes](const TensorView& view) { return view.permute(axes); }));
  cases.push_back(view_entry(setup, "slice/" + suffix, ViewKind::slice, extents, [](const TensorView& view) {
    return view.slice(0, {1, 7, 2});
  }));
  cases.push_back(view_entry(setup, "reshape/" + suffix, ViewKind::reshape, extents,
                             [all](const TensorView& view) { return view.reshape(all); }));
  cases.push_back(
      view_entry(setup, "strided_layout/" + suffix, ViewKind::strided, extents,
                 [extents, strides](const TensorView&) { return Layout::strided(extents, strides); }));
}

CaseEntry adopt_entry(Setup& setup) {
  CaseEntry entry;
  entry.name = "views/adopt_and_give_back";
  entry.bytes = 1 << 16;
  entry.make = [&setup] {
    const auto ours = std::make_shared<std::vector<double>>(64);
    const auto plain = std::make_shared<std::vector<double>>(64);
    return CaseBuilder(setup)
        .shape("64 f64")
        .keep(plain)
        .ours(repeat([ours] {
          auto tensor = HostTensor<double, 1>::from_vec_col_major({64}, std::move(*ours));
          do_not_optimize(tensor);
          *ours = std::move(tensor).into_vec_col_major();
        }))
        .against("vector", repeat([plain] {
                   std::vector<double> moved = std::move(*plain);
                   do_not_optimize(moved);
                   *plain = std::move(moved);
                 }))
        .against({"libtorch"},
                 [&](const Peer& peer) {
                   return peer.view({ViewKind::adopt, {plain->data(), Element::f64, {64}, {}}});
                 })
        .build();
  };
  return entry;
}

CaseEntry host_data_entry(Setup& setup) {
  CaseEntry entry;
  entry.name = "views/host_data";
  entry.bytes = 1 << 16;
  entry.make = [&setup] {
    const auto tensor = std::make_shared<HostTensor<double, 1>>(HostTensor<double, 1>::zeros({64}));
    const auto vector = std::make_shared<std::vector<double>>(64);
    return CaseBuilder(setup)
        .ours(repeat([tensor] {
          const HostTensor<double, 1>& read = *tensor;
          do_not_optimize(read.host_data().data());
        }))
        .against("vector", repeat([vector] { do_not_optimize(vector->data()); }))
        .against({"libtorch"},
                 [&](const Peer& peer) {
                   return peer.view({ViewKind::data, {vector->data(), Element::f64, {64}, {}}});
                 })
        .build();
  };
  return entry;
}

struct LayoutPair {
  Layout a;
  Layout b;
  std::uint64_t distance_bytes;

  OverlapVerdict decide() const {
    return decide_overlap({0, a, sizeof(double)}, {distance_bytes, b, sizeof(double)});
  }
};

CaseEntry overlap_entry(Setup& setup, const std::string& name, const LayoutPair& pair) {
  CaseEntry entry;
  entry.name = "views/overlap_" + name;
  entry.make = [&setup, pair] {
    return CaseBuilder(setup)
        .ours(repeat([pair] {
          const OverlapVerdict verdict = pair.decide();
          do_not_optimize(verdict);
        }))
        .build();
  };
  return entry;
}

// Pairs of rank 3 and 4 with meeting ranges that no rule decides.
std::vector<LayoutPair> searched_pairs(Random& random) {
  std::vector<LayoutPair> pairs;
  while (pairs.size() < 500) {
    const auto layout = [&random] {
      Extents extents, strides;
      for (std::int64_t axis = random.between(3, 4); axis > 0; --axis) {
        extents.push_back(random.between(2, 30));
        strides.push_back(random.between(2, 60));
      }
      return Layout::strided(extents, strides);
    };
    LayoutPair pair{layout(), layout(), static_cast<std::uint64_t>(random.between(0, 400)) * sizeof(double)};
    if (pair.decide().work > 0) pairs.push_back(std::move(pair));
  }
  return pairs;
}

// The median over pairs of what one decision costs, the clock's own cost taken off.
CaseEntry search_entry(Setup& setup, std::uint64_t seed) {
  CaseEntry entry;
  entry.name = "views/overlap_search_median";
  entry.make = [&setup, seed] {
    Random random(seed, "overlap");
    const auto pairs = std::make_shared<std::vector<LayoutPair>>(searched_pairs(random));
    return CaseBuilder(setup)
        .shape(std::to_string(pairs->size()) + " pairs of rank 3 and 4")
        .ours_sampled([pairs](std::uint64_t repetitions) {
          using Clock = std::chrono::steady_clock;
          std::vector<double> costs;
          for (std::uint64_t turn = 0; turn < repetitions; ++turn) {
            for (const LayoutPair& pair : *pairs) {
              const auto start = Clock::now();
              const OverlapVerdict verdict = pair.decide();
              do_not_optimize(verdict);
              const auto middle = Clock::now();
              const auto end = Clock::now();
              costs.push_back(
                  std::chrono::duration<double, std::nano>((middle - start) - (end - middle)).count());
            }
          }
          const auto median = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
          std::nth_element(costs.begin(), median, costs.end());
          return *median;
        })
        .build();
  };
  return entry;
}

}  // namespace

void add_view_cases(Setup& setup, CaseList& cases) {
  Random random(setup.seed(), "views");
  add_transforms(setup, cases, "rank2", {32, 48});
  add_transforms(setup, cases, "rank4", {8, 6, 5, 4});
  const auto extent = [&random] { return random.between(7, 24); };
  add_transforms(setup, cases, "drawn-1", {extent(), extent(), extent()});
  cases.push_back(adopt_entry(setup));
  cases.push_back(host_data_entry(setup));

  const Layout matrix = Layout::column_major({64, 64});
  const Layout rows = Layout::strided({32, 64}, {2, 64});
  cases.push_back(overlap_entry(setup, "common/apart", {matrix, matrix, 64 * 64 * 8}));
  cases.push_back(overlap_entry(setup, "common/same", {matrix, matrix, 0}));
  cases.push_back(overlap_entry(setup, "common/alternating_rows", {rows, rows, 8}));
  const std::int64_t width = random.between(20, 200), height = random.between(20, 200);
  const Layout block = Layout::strided({width / 2, height}, {1, width});
  cases.push_back(overlap_entry(setup, "common/drawn-1",
                                {block, block, static_cast<std::uint64_t>(width / 2) * sizeof(double)}));
  cases.push_back(search_entry(setup, setup.seed()));
}

}  // namespace tenure::bench
