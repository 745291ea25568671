// SPDX-License-Identifier: Apache-2.0
#include "measurements.hpp"

#include <charconv>
#include <fstream>
#include <stdexcept>

namespace iris {
namespace {

double number_at(const std::string& place, std::string_view field) {
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) {
    throw std::runtime_error(place + ": wanted a number, found '" + std::string(field) + "'");
  }
  return value;
}

}  // namespace

Measurements read_measurements(const std::string& path, std::int64_t column_count) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(path + ": cannot be read, or is empty");
  Measurements measurements{.column_count = column_count};
  while (std::getline(file, line)) {
    const std::string place = path + ":" + std::to_string(measurements.row_count + 2);
    std::string_view rest = line;
    for (std::int64_t column = 0; column < column_count; ++column) {
      const std::size_t comma = rest.find(',');
      if (comma == rest.npos) {
        throw std::runtime_error(place + ": wanted " + std::to_string(column_count) +
                                 " numbers and a name, separated by commas");
      }
      measurements.row_major.push_back(number_at(place, rest.substr(0, comma)));
      rest.remove_prefix(comma + 1);
    }
    ++measurements.row_count;
  }
  return measurements;
}

}  // namespace iris
