// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "../json_file.hpp"

namespace tenure::bench {

namespace {

constexpr std::int64_t elements_max = std::int64_t{1} << 36;

// Letters of UTF-8, each as its bytes.
std::vector<std::string> letters_of(const std::string& text) {
  std::vector<std::string> letters;
  for (const char byte : text) {
    const bool is_continuation = (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
    if (is_continuation && !letters.empty()) {
      letters.back() += byte;
    } else {
      letters.emplace_back(1, byte);
    }
  }
  return letters;
}

// Turns "ba,cb->ca" into numbers.
class EquationReader {
 public:
  EquationReader(const JsonPlace& place, NetworkInstance& instance) : place_(place), instance_(instance) {}

  void read() {
    const std::string text = place_.text();
    const std::size_t arrow = text.find("->");
    if (arrow == std::string::npos) place_.refuse("wanted inputs, an arrow '->' and an output");
    instance_.tensors.emplace_back();
    for (const std::string& letter : letters_of(text.substr(0, arrow))) {
      if (letter == ",") {
        instance_.tensors.emplace_back();
      } else {
        add(instance_.tensors.back(),
            numbers_.emplace(letter, static_cast<Label>(numbers_.size())).first->second, letter);
      }
    }
    for (const std::string& letter : letters_of(text.substr(arrow + 2))) {
      const auto found = numbers_.find(letter);
      if (found == numbers_.end()) place_.refuse("the output's index '" + letter + "' is in no input");
      add(instance_.output, found->second, letter);
    }
    instance_.extents.assign(numbers_.size(), 0);
  }

 private:
  void add(Labels& labels, Label label, const std::string& letter) const {
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) {
      place_.refuse("the index '" + letter + "' stands twice in one tensor, which is not supported");
    }
    labels.push_back(label);
  }

  const JsonPlace& place_;
  NetworkInstance& instance_;
  std::map<std::string, Label> numbers_;
};

void read_extents(const JsonPlace& shapes, bool is_reversed, NetworkInstance& instance) {
  const std::vector<JsonPlace> items = shapes.items();
  if (items.size() != instance.tensors.size()) {
    shapes.refuse("wanted one shape for each of " + std::to_string(instance.tensors.size()) +
                  " tensors, found " + std::to_string(items.size()));
  }
  for (std::size_t tensor = 0; tensor < items.size(); ++tensor) {
    std::vector<std::int64_t> extents = items[tensor].extents(elements_max);
    if (is_reversed) std::reverse(extents.begin(), extents.end());
    const Labels& labels = instance.tensors[tensor];
    if (extents.size() != labels.size()) {
      items[tensor].refuse("wanted " + std::to_string(labels.size()) + " extents, found " +
                           std::to_string(extents.size()));
    }
    for (std::size_t axis = 0; axis < labels.size(); ++axis) {
      std::int64_t& known = instance.extents[static_cast<std::size_t>(labels[axis])];
      if (known != 0 && known != extents[axis]) {
        items[tensor].refuse("an index has extent " + std::to_string(known) + " before and " +
                             std::to_string(extents[axis]) + " here");
      }
      known = extents[axis];
    }
  }
}

void read_path(const JsonPlace& path, NetworkInstance& instance) {
  std::size_t left = instance.tensors.size();
  for (const JsonPlace& step : path.items()) {
    const std::vector<std::int64_t> pair = step.integers();
    if (pair.size() != 2) step.refuse("wanted a pair of positions, found " + std::to_string(pair.size()));
    for (const std::int64_t position : pair) {
      if (position < 0 || position >= static_cast<std::int64_t>(left)) {
        step.refuse("wanted positions in a list of " + std::to_string(left) + ", found " +
                    std::to_string(position));
      }
    }
    if (pair[0] == pair[1]) step.refuse("wanted two tensors, found one twice");
    instance.path.emplace_back(static_cast<std::size_t>(pair[0]), static_cast<std::size_t>(pair[1]));
    --left;
  }
  if (left != 1)
    path.refuse("wanted steps until one tensor is left, found that " + std::to_string(left) + " are");
}

}  // namespace

std::vector<std::int64_t> NetworkInstance::extents_of(const Labels& labels) const {
  std::vector<std::int64_t> found;
  for (const Label label : labels) found.push_back(extents[static_cast<std::size_t>(label)]);
  return found;
}

NetworkInstance read_instance(const std::filesystem::path& file, const std::string& path) {
  const JsonPlace document = JsonPlace::read(file);
  NetworkInstance instance;
  instance.name = document.at("name").text();
  const JsonPlace dtype = document.at("dtype");
  if (dtype.text() != "float64") dtype.refuse("wanted float64, found '" + dtype.text() + "'");
  // The plain form has the last axis fastest.
  const bool is_column_major = document.has("format_string_colmajor");
  const JsonPlace equation = document.at(is_column_major ? "format_string_colmajor" : "format_string");
  EquationReader(equation, instance).read();
  if (!is_column_major) {
    for (Labels& labels : instance.tensors) std::reverse(labels.begin(), labels.end());
    std::reverse(instance.output.begin(), instance.output.end());
  }
  read_extents(document.at(is_column_major ? "shapes_colmajor" : "shapes"), !is_column_major, instance);
  read_path(document.at("paths").at(path.c_str()).at("path"), instance);
  return instance;
}

}  // namespace tenure::bench
