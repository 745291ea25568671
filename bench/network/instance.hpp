// SPDX-License-Identifier: Apache-2.0
// instance: a tensor network and the order in which its tensors are contracted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tenure::bench {

// A number for each index of the network. An index of several tensors is summed over, unless it is in the
// output.
using Label = std::int32_t;
using Labels = std::vector<Label>;

// Axes are given with the first one fastest.
struct NetworkInstance {
  std::string name;
  std::vector<Labels> tensors;
  Labels output;
  std::vector<std::int64_t> extents;  // of each label
  // Positions in the list of tensors that are left; the result of a step goes to the end of the list.
  std::vector<std::pair<std::size_t, std::size_t>> path;

  std::vector<std::int64_t> extents_of(const Labels& labels) const;
};

// A file with "format_string", "shapes" and "paths", or their "_colmajor" forms. `path` is a name in "paths".
// Throws FileError.
NetworkInstance read_instance(const std::filesystem::path& file, const std::string& path);

}  // namespace tenure::bench
