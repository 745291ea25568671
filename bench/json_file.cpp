// SPDX-License-Identifier: Apache-2.0
#include "json_file.hpp"

#include <fstream>
#include <memory>

#include "usage_error.hpp"

namespace tenure::bench {

JsonPlace JsonPlace::read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw FileError(file.string(), "", "the file cannot be read");
  try {
    auto document = std::make_shared<const nlohmann::json>(nlohmann::json::parse(stream));
    const nlohmann::json& value = *document;
    return {std::make_shared<const std::string>(file.string()), std::move(document), value, ""};
  } catch (const nlohmann::json::exception& error) {
    throw FileError(file.string(), "", std::string("wanted a JSON document: ") + error.what());
  }
}

void JsonPlace::refuse(const std::string& problem) const { throw FileError(*file_, place_, problem); }

JsonPlace JsonPlace::at(const char* key) const {
  if (!value_->is_object()) refuse(std::string("wanted an object, found ") + value_->type_name());
  const auto found = value_->find(key);
  if (found == value_->end()) refuse(std::string("'") + key + "' is missing");
  return inside(*found, place_.empty() ? key : place_ + '.' + key);
}

std::vector<JsonPlace> JsonPlace::items() const {
  if (!value_->is_array()) refuse(std::string("wanted an array, found ") + value_->type_name());
  std::vector<JsonPlace> found;
  for (std::size_t index = 0; index < value_->size(); ++index) {
    found.push_back(inside((*value_)[index], place_ + '[' + std::to_string(index) + ']'));
  }
  return found;
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) refuse(std::string("wanted a string, found ") + value_->type_name());
  return value_->get<std::string>();
}

std::int64_t JsonPlace::integer() const {
  if (!value_->is_number_integer()) refuse(std::string("wanted an integer, found ") + value_->dump());
  return value_->get<std::int64_t>();
}

std::vector<std::int64_t> JsonPlace::integers() const {
  std::vector<std::int64_t> values;
  for (const JsonPlace& item : items()) values.push_back(item.integer());
  return values;
}

std::vector<std::int64_t> JsonPlace::extents(std::int64_t elements_max) const {
  std::vector<std::int64_t> values = integers();
  if (values.size() > 64) refuse("wanted at most 64 axes, found " + std::to_string(values.size()));
  std::int64_t count = 1;
  for (const std::int64_t extent : values) {
    if (extent < 1) refuse("wanted extents of at least 1, found " + std::to_string(extent));
    if (extent > elements_max / count) refuse("wanted at most " + std::to_string(elements_max) + " elements");
    count *= extent;
  }
  return values;
}

}  // namespace tenure::bench
