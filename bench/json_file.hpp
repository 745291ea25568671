// SPDX-License-Identifier: Apache-2.0
// json_file: reading a JSON file whose every defect has a place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tenure::bench {

// One value of a file, with where it stands in it. Every getter throws FileError.
class JsonPlace {
 public:
  // The whole document.
  static JsonPlace read(const std::filesystem::path& file);

  const std::string& file() const noexcept { return *file_; }
  const std::string& place() const noexcept { return place_; }
  [[noreturn]] void refuse(const std::string& problem) const;

  bool has(const char* key) const { return value_->is_object() && value_->contains(key); }
  // A member of an object, the items of an array.
  JsonPlace at(const char* key) const;
  std::vector<JsonPlace> items() const;
  std::string text() const;
  std::int64_t integer() const;
  std::vector<std::int64_t> integers() const;
  // At least one in each place, at most 64 places, and a product of at most `elements_max`.
  std::vector<std::int64_t> extents(std::int64_t elements_max) const;

 private:
  JsonPlace(std::shared_ptr<const std::string> file, std::shared_ptr<const nlohmann::json> document,
            const nlohmann::json& value, std::string place)
      : file_(std::move(file)), document_(std::move(document)), value_(&value), place_(std::move(place)) {}
  JsonPlace inside(const nlohmann::json& value, std::string place) const {
    return {file_, document_, value, std::move(place)};
  }

  std::shared_ptr<const std::string> file_;
  std::shared_ptr<const nlohmann::json> document_;
  const nlohmann::json* value_;
  std::string place_;
};

}  // namespace tenure::bench
