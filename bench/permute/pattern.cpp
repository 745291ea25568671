// SPDX-License-Identifier: Apache-2.0
#include "pattern.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "../json_file.hpp"

namespace tenure::bench {

namespace {

constexpr std::int64_t elements_max = std::int64_t{1} << 36;

Element read_element(const JsonPlace& place) {
  const std::string name = place.text();
  if (name == "f64") return Element::f64;
  if (name == "f32") return Element::f32;
  place.refuse("wanted f64 or f32, found '" + name + "'");
}

std::vector<std::int64_t> read_axes(const JsonPlace& place, std::size_t rank) {
  std::vector<std::int64_t> axes = place.integers();
  std::vector<std::int64_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> wanted(rank);
  std::iota(wanted.begin(), wanted.end(), 0);
  if (sorted != wanted) place.refuse("wanted every axis from 0 to " + std::to_string(rank) + " - 1 once");
  return axes;
}

// Empty for a compact source.
std::vector<std::int64_t> read_strides(const JsonPlace& place, std::size_t rank) {
  const std::string kind = place.at("kind").text();
  if (kind == "col_major") return {};
  if (kind != "explicit_strides") {
    place.at("kind").refuse("wanted col_major or explicit_strides, found '" + kind + "'");
  }
  const JsonPlace strides = place.at("strides");
  if (strides.integers().size() != rank) {
    strides.refuse("wanted one stride for each of " + std::to_string(rank) + " axes, found " +
                   std::to_string(strides.integers().size()));
  }
  return strides.integers();
}

Pattern read_pattern(const JsonPlace& place) {
  Pattern pattern;
  pattern.name = place.at("id").text();
  if (pattern.name.empty()) place.at("id").refuse("wanted a name, found none");
  pattern.element = read_element(place.at("dtype"));
  pattern.extents = place.at("shape").extents(elements_max);
  pattern.axes = read_axes(place.at("perm"), pattern.extents.size());
  pattern.strides = read_strides(place.at("src_layout"), pattern.extents.size());
  if (place.has("dst_layout") && place.at("dst_layout").at("kind").text() != "col_major") {
    place.at("dst_layout").refuse("wanted col_major, which is what every destination is");
  }
  try {
    enclose(pattern);
  } catch (const std::invalid_argument& problem) {
    place.at("src_layout").refuse(problem.what());
  }
  return pattern;
}

}  // namespace

std::int64_t Pattern::count() const {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

Enclosure enclose(const Pattern& pattern) {
  const std::size_t rank = pattern.extents.size();
  Enclosure result;
  if (pattern.strides.empty()) {
    result.extents = result.kept = pattern.extents;
    result.order.resize(rank);
    std::iota(result.order.begin(), result.order.end(), 0);
    return result;
  }
  std::vector<std::size_t> by_stride(rank);
  std::iota(by_stride.begin(), by_stride.end(), 0);
  std::stable_sort(by_stride.begin(), by_stride.end(),
                   [&](std::size_t a, std::size_t b) { return pattern.strides[a] < pattern.strides[b]; });
  result.order.resize(rank);
  for (std::size_t place = 0; place < rank; ++place) {
    const std::size_t axis = by_stride[place];
    const std::int64_t stride = pattern.strides[axis];
    const bool is_last = place + 1 == rank;
    const std::int64_t next =
        is_last ? stride * pattern.extents[axis] : pattern.strides[by_stride[place + 1]];
    if (stride < 1 || (place == 0 && stride != 1) || next % stride != 0 ||
        next / stride < pattern.extents[axis]) {
      throw std::invalid_argument(
          "wanted strides of a front part of a compact array: the smallest is 1, and each is a multiple of "
          "the "
          "one before it, large enough for that axis; axis " +
          std::to_string(axis) + " has stride " + std::to_string(stride));
    }
    result.order[axis] = static_cast<std::int64_t>(place);
    result.extents.push_back(next / stride);
    result.kept.push_back(pattern.extents[axis]);
  }
  return result;
}

std::vector<Pattern> read_patterns(const std::filesystem::path& file) {
  const JsonPlace document = JsonPlace::read(file);
  if (document.at("version").integer() != 1) document.at("version").refuse("wanted version 1");
  if (document.at("index_base").integer() != 0)
    document.at("index_base").refuse("wanted axes that count from 0");
  std::vector<Pattern> patterns;
  for (const JsonPlace& item : document.at("patterns").items()) patterns.push_back(read_pattern(item));
  if (patterns.empty()) document.at("patterns").refuse("wanted at least one pattern, found none");
  return patterns;
}

}  // namespace tenure::bench
