// SPDX-License-Identifier: Apache-2.0
// snapshot_file: the JSON document of a pool's snapshot, read and checked.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tenure/memory/pool_snapshot.hpp"

namespace tenure::pool_report {

// What is wrong with a file, and where in it.
class FileError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `name` is for errors. Throws FileError for a text that is no such document, is of another version, lacks
// something, contradicts itself, or whose events are out of order.
PoolSnapshot parse_snapshot(std::string_view text, const std::string& name);

// The same from a file.
PoolSnapshot read_snapshot(const std::filesystem::path& file);

}  // namespace tenure::pool_report
