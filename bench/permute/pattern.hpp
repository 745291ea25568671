// SPDX-License-Identifier: Apache-2.0
// pattern: one permutation of the axes of an array, as a file or a suite says it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "../peer.hpp"

namespace tenure::bench {

// Axis k of the destination, which is compact with its first axis fastest, is axis axes[k] of the source.
struct Pattern {
  std::string name;
  Element element = Element::f64;
  std::vector<std::int64_t> extents;  // of the source
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> strides;  // of the source; empty: compact, the first axis fastest

  std::int64_t count() const;
};

// How the source lies inside a compact array: that array's axes are the source's in the order of their
// strides, as long as the next stride leaves room for, and the source is its front part.
struct Enclosure {
  std::vector<std::int64_t> extents;  // of the compact array
  std::vector<std::int64_t> kept;     // of each of its axes
  std::vector<std::int64_t> order;    // source axis i is its axis order[i]
};

// Throws std::invalid_argument for strides that no part of a compact array has.
Enclosure enclose(const Pattern& pattern);

// The patterns of a file of the format with "patterns", each with "id", "shape", "perm", "src_layout". Throws
// FileError.
std::vector<Pattern> read_patterns(const std::filesystem::path& file);

}  // namespace tenure::bench
