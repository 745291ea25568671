// SPDX-License-Identifier: Apache-2.0
#include "address_map.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <vector>

#include "byte_text.hpp"

namespace tenure::pool_report {
namespace {

constexpr double left = 118, right = 950, row_height = 18, block_height = 14;
constexpr double space_width = 5, width_per_doubling_max = 4, width_min = 2;
constexpr std::size_t rectangles_max = 20'000;
constexpr double rows_wanted = 40;
constexpr std::uint64_t neighbour_bytes_max = 4096;  // heads and ends of blocks, and what rounds them up

// Neighbours in one state.
struct Rectangle {
  std::uint64_t address = 0;
  std::uint64_t end = 0;
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0;
  std::uint64_t id = 0;  // of the first
  PoolBlockState state = PoolBlockState::live;
};

std::vector<Rectangle> rectangles_of(const PoolSnapshot& snapshot) {
  std::vector<PoolBlock> blocks = snapshot.blocks;
  std::sort(blocks.begin(), blocks.end(),
            [](const PoolBlock& a, const PoolBlock& b) { return a.address < b.address; });
  const std::size_t shared = (blocks.size() + rectangles_max - 1) / rectangles_max;
  std::vector<Rectangle> rectangles;
  for (const PoolBlock& block : blocks) {
    if (rectangles.empty() || rectangles.back().state != block.state || rectangles.back().blocks >= shared) {
      rectangles.push_back({.address = block.address, .id = block.id, .state = block.state});
    }
    Rectangle& last = rectangles.back();
    ++last.blocks;
    last.bytes += block.capacity_bytes;
    last.end = block.address + block.capacity_bytes;
  }
  return rectangles;
}

double doublings_of(const Rectangle& rectangle) {
  return 1 + std::log2(1 + static_cast<double>(rectangle.bytes) / 64);
}

std::string address_text(std::uint64_t address) {
  char digits[16];
  return "0x" + std::string(digits, std::to_chars(digits, digits + sizeof digits, address, 16).ptr);
}

std::string title_of(const Rectangle& rectangle) {
  const std::string state(pool_block_state_name(rectangle.state));
  const std::string what = rectangle.blocks == 1 ? "block " + count_text(rectangle.id) + ", " + state
                                                 : count_text(rectangle.blocks) + " blocks, " + state;
  return what + "\n" + byte_text(rectangle.bytes) + " (" + count_text(rectangle.bytes) + " bytes)\n" +
         address_text(rectangle.address) + " to " + address_text(rectangle.end);
}

}  // namespace

std::string address_map(const PoolSnapshot& snapshot) {
  const std::vector<Rectangle> rectangles = rectangles_of(snapshot);
  double doublings = 0;
  for (const Rectangle& rectangle : rectangles) doublings += doublings_of(rectangle);
  const double per_doubling = std::min(width_per_doubling_max, rows_wanted * (right - left) / doublings);

  std::string marks;
  double x = left, y = 0;
  std::uint64_t end = 0;
  for (const Rectangle& rectangle : rectangles) {
    const double width = std::max(width_min, per_doubling * doublings_of(rectangle));
    const bool has_space_before = end != 0 && rectangle.address - end > neighbour_bytes_max;
    if (end != 0) x += has_space_before ? space_width : 1;
    if (x + width > right) {
      x = left;
      y += row_height;
    }
    if (x == left) {
      marks += "<text class=\"axis\" x=\"" + coordinate_text(left - 8) + "\" y=\"" +
               coordinate_text(y + block_height - 3) + "\" text-anchor=\"end\">" +
               address_text(rectangle.address) + "</text>\n";
    }
    marks += "<rect class=\"";
    marks += pool_block_state_name(rectangle.state).front();
    marks += "\" x=\"" + coordinate_text(x) + "\" y=\"" + coordinate_text(y) + "\" width=\"" +
             coordinate_text(width) + "\" height=\"" + coordinate_text(block_height) + "\"><title>" +
             title_of(rectangle) + "</title></rect>\n";
    x += width;
    end = rectangle.end;
  }
  return "<svg viewBox=\"0 0 960 " + coordinate_text(y + row_height) +
         "\" role=\"img\" aria-label=\"Blocks in the order of their addresses\">\n" + marks + "</svg>\n";
}

}  // namespace tenure::pool_report
