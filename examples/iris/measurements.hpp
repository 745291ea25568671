// SPDX-License-Identifier: Apache-2.0
// measurements: the numbers of a CSV file, row by row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace iris {

struct Measurements {
  std::int64_t row_count = 0;
  std::int64_t column_count = 0;
  std::vector<double> row_major{};  // row by row
};

// Reads the first `column_count` fields of every line after the heading. Throws std::runtime_error naming the
// file and line of what is not a number.
Measurements read_measurements(const std::string& path, std::int64_t column_count);

}  // namespace iris
