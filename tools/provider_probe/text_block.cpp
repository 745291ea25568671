// SPDX-License-Identifier: Apache-2.0
#include "text_block.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>

#include "sentence.hpp"

namespace tenure::probe {

namespace {

// Code points, which is what a terminal shows of most text.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; }));
}

std::string with_one_decimal(double value, const char* unit) {
  return sentence(std::fixed, std::setprecision(1), value, ' ', unit);
}

}  // namespace

void TextBlock::add(std::string_view label, std::size_t column, std::string_view text) {
  std::string line(label);
  line.resize(std::max(line.size() + (line.empty() ? 0 : 1), column), ' ');
  bool is_first_word = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_first_word && columns(line) + 1 + columns(word) > width_) {
      add_line(line);
      line.assign(column, ' ');
      is_first_word = true;
    }
    if (!is_first_word) line += ' ';
    line += word;
    is_first_word = false;
  }
  add_line(line);
}

void TextBlock::add_line(std::string_view line) {
  constexpr const char* digits = "0123456789abcdef";
  for (const char letter : line.substr(0, line.find_last_not_of(' ') + 1)) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 0x20 && byte != 0x7F) {
      text_ += letter;
    } else {
      text_.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 0xF]);
    }
  }
  text_ += '\n';
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return sentence(count, ' ', noun, count == 1 ? "" : "s");
}

std::string byte_text(std::uint64_t bytes) {
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return sentence(bytes, " B");
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return with_one_decimal(value, units[unit]);
}

std::string duration_text(std::uint64_t milliseconds) {
  if (milliseconds < 1000) return sentence(milliseconds, " ms");
  return with_one_decimal(static_cast<double>(milliseconds) / 1000, "s");
}

}  // namespace tenure::probe
