// SPDX-License-Identifier: Apache-2.0
#include "byte_text.hpp"

#include <array>
#include <cstdio>

namespace tenure::pool_report {
namespace {

std::string formatted(const char* format, double value) {
  std::array<char, 64> text;
  const int length = std::snprintf(text.data(), text.size(), format, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

std::string byte_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  const bool is_whole = value >= 100 || value == static_cast<double>(static_cast<std::uint64_t>(value));
  return formatted(is_whole ? "%.0f" : (value >= 10 ? "%.1f" : "%.2f"), value) + ' ' + units.at(unit);
}

std::string count_text(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string coordinate_text(double value) { return formatted("%.1f", value); }

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace tenure::pool_report
