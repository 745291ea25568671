// SPDX-License-Identifier: Apache-2.0
#include "loader/similar_names.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>

namespace tenure::inline TENURE_BUILD {

namespace {

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// "libfoo.so" of "libfoo.so.1.2"; the whole name of anything else.
std::string_view without_version(std::string_view name) {
  const std::size_t at = name.find(".so.");
  return at == std::string_view::npos ? name : name.substr(0, at + 3);
}

}  // namespace

bool names_are_similar(std::string_view wanted, std::string_view there) {
  if (wanted.empty() || there.empty()) return false;
  const std::string_view wanted_stem = without_version(wanted);
  const std::string_view there_stem = without_version(there);
  if (wanted_stem == there_stem) return true;
  const std::size_t longer = std::max(wanted_stem.size(), there_stem.size());
  const std::size_t shorter = std::min(wanted_stem.size(), there_stem.size());
  const std::size_t edits_max = std::max<std::size_t>(1, wanted_stem.size() / 6);
  return longer - shorter <= edits_max && edit_distance(wanted_stem, there_stem) <= edits_max;
}

std::vector<std::string> similar_files(const std::string& folder, std::string_view name,
                                       std::size_t count_max) {
  std::vector<std::string> paths;
  // The forms that report by a code are noexcept and allocate, so that they end a process whose memory is
  // short.
  try {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string there = entry.path().filename().string();
      if (there != name && names_are_similar(name, there)) paths.push_back(entry.path().string());
    }
  } catch (const std::filesystem::filesystem_error&) {
    // A folder that cannot be read has no names to offer.
  }
  std::ranges::sort(paths);
  if (paths.size() > count_max) paths.resize(count_max);
  return paths;
}

}  // namespace tenure::inline TENURE_BUILD
