// SPDX-License-Identifier: Apache-2.0
// permute: orders of axes of the kinds that tensor codes copy, with patterns drawn among them.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "../permute/permute_case.hpp"
#include "../random.hpp"
#include "suites.hpp"

namespace tenure::bench {

namespace {

using Numbers = std::vector<std::int64_t>;

Numbers reversed(std::int64_t rank) {
  Numbers axes(static_cast<std::size_t>(rank));
  std::iota(axes.rbegin(), axes.rend(), 0);
  return axes;
}

// Extents in a range, their order anything but the given one.
Pattern drawn_pattern(Random& random, const std::string& name, std::size_t rank, std::int64_t low,
                      std::int64_t high) {
  Pattern pattern;
  pattern.name = name;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    pattern.extents.push_back(random.between(low, high));
    pattern.axes.push_back(static_cast<std::int64_t>(axis));
  }
  const Numbers given = pattern.axes;
  while (pattern.axes == given) {
    for (std::size_t axis = rank - 1; axis > 0; --axis) {
      const auto other = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(axis)));
      std::swap(pattern.axes[axis], pattern.axes[other]);
    }
  }
  return pattern;
}

}  // namespace

void add_permute_cases(Setup& setup, CaseList& cases) {
  Random random(setup.seed(), "permute");
  Numbers cyclic(13);
  for (std::size_t axis = 0; axis < cyclic.size(); ++axis) {
    cyclic[axis] = static_cast<std::int64_t>((axis + 1) % cyclic.size());
  }
  const std::vector<Pattern> patterns{
      {"2d-2048", Element::f64, {2048, 2048}, {1, 0}, {}},
      {"3d-160-201", Element::f64, {160, 160, 160}, {2, 0, 1}, {}},
      {"3d-160-102", Element::f64, {160, 160, 160}, {1, 0, 2}, {}},
      {"3d-3-interleaved", Element::f32, {3, 1200, 1200}, {1, 2, 0}, {}},
      {"6d-rotation", Element::f64, {16, 12, 16, 12, 8, 16}, {5, 0, 4, 1, 3, 2}, {}},
      {"22d-2-reversed", Element::f64, Numbers(22, 2), reversed(22), {}},
      {"13d-3-cyclic", Element::f64, Numbers(13, 3), cyclic, {}},
      drawn_pattern(random, "drawn-1-2d", 2, 1000, 2500),
      drawn_pattern(random, "drawn-2-3d", 3, 90, 180),
      drawn_pattern(random, "drawn-3-4d", 4, 24, 56),
      drawn_pattern(random, "drawn-4-6d", 6, 8, 15),
  };
  add_pattern_cases(setup, patterns, cases);
}

}  // namespace tenure::bench
