// SPDX-License-Identifier: Apache-2.0
// text_block: lines of text of a limited width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenure::probe {

// Appends text to a growing block.
class TextBlock {
 public:
  // Wide enough for a label and a word.
  static constexpr std::size_t width_min = 50;

  explicit TextBlock(std::size_t width) noexcept : width_(width < width_min ? width_min : width) {}

  // `label`, padded to `column`, then `text`, broken between words so that each line ends before the width
  // and begins at the column. A word that is too long has a line of its own.
  void add(std::string_view label, std::size_t column, std::string_view text);
  // A line as it is, but for control characters, which a file may hold and a terminal would obey: they become
  // \x and two digits.
  void add_line(std::string_view line = {});

  const std::string& text() const noexcept { return text_; }

 private:
  std::size_t width_;
  std::string text_;
};

// "1 rule", "3 rules"
std::string counted(std::uint64_t count, std::string_view noun);
// "512 B", "1.9 MiB"
std::string byte_text(std::uint64_t bytes);
// "40 ms", "3.1 s"
std::string duration_text(std::uint64_t milliseconds);

}  // namespace tenure::probe
