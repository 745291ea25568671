// SPDX-License-Identifier: Apache-2.0
#include "timeline_chart.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "byte_text.hpp"
#include "timeline.hpp"

namespace tenure::pool_report {
namespace {

constexpr double left = 78, right = 950, top = 12, bottom = 262, ticks_top = 270, height = 330;
constexpr std::uint64_t scale_bytes_max = std::uint64_t{1} << 60;  // a document may say anything
constexpr std::size_t columns_max = 436;                           // two units of width each

// The events that share one column of the chart.
struct Column {
  std::size_t first_point;
  std::size_t last_point;
};

std::vector<Column> columns_of(std::size_t points) {
  const std::size_t count = std::min(points, columns_max);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < count; ++i) {
    columns.push_back({i * points / count, (i + 1) * points / count - 1});
  }
  return columns;
}

class Chart {
 public:
  explicit Chart(const PoolSnapshot& snapshot)
      : snapshot_(snapshot), points_(timeline(snapshot)), columns_(columns_of(points_.size())) {
    std::uint64_t most = 1;
    for (const TimelinePoint& point : points_) most = std::max(most, point.reserved_bytes());
    most = std::min(most, scale_bytes_max);
    step_bytes_ = std::bit_ceil(std::max<std::uint64_t>(most / 4, 1));
    scale_bytes_ = (most + step_bytes_ - 1) / step_bytes_ * step_bytes_;
  }

  std::string draw() {
    text_ = "<svg viewBox=\"0 0 960 " + coordinate_text(height) +
            "\" role=\"img\" aria-label=\"Bytes reserved, live and idle over the events\">\n";
    draw_grid();
    draw_area("live", [](const TimelinePoint& point) { return point.live_bytes; });
    draw_line("idle", [](const TimelinePoint& point) { return point.idle_bytes; });
    draw_line("live", [](const TimelinePoint& point) { return point.live_bytes; });
    draw_line("reserved", [](const TimelinePoint& point) { return point.reserved_bytes(); });
    draw_ticks();
    draw_titles();
    return std::move(text_) + "</svg>\n";
  }

 private:
  // Where the column begins; there is one end more than there are columns.
  double x_of(std::size_t column) const {
    return left + (right - left) * static_cast<double>(column) / static_cast<double>(columns_.size());
  }
  double middle_of(std::size_t column) const { return (x_of(column) + x_of(column + 1)) / 2; }
  double y_of(std::uint64_t bytes) const {
    return bottom - (bottom - top) * static_cast<double>(bytes) / static_cast<double>(scale_bytes_);
  }
  std::uint64_t sequence_of(std::size_t point) const { return snapshot_.dropped_events + point; }

  void label(double x, double y, const char* anchor, const std::string& text) {
    text_ += "<text class=\"axis\" x=\"" + coordinate_text(x) + "\" y=\"" + coordinate_text(y) +
             "\" text-anchor=\"" + anchor + "\">" + text + "</text>\n";
  }

  void draw_grid() {
    for (std::uint64_t bytes = 0; bytes <= scale_bytes_; bytes += step_bytes_) {
      const std::string y = coordinate_text(y_of(bytes));
      text_ += "<line class=\"grid\" x1=\"" + coordinate_text(left) + "\" x2=\"" + coordinate_text(right) +
               "\" y1=\"" + y + "\" y2=\"" + y + "\"/>\n";
      label(left - 8, y_of(bytes) + 4, "end", byte_text(bytes));
    }
    for (std::size_t i = 0; i <= 4; ++i) {
      const std::size_t column = (columns_.size() - 1) * i / 4;
      const char* anchor = i == 0 ? "start" : (i == 4 ? "end" : "middle");
      const std::size_t point = i == 4 ? columns_[column].last_point : columns_[column].first_point;
      label(x_of(i == 4 ? column + 1 : column), height - 6, anchor, count_text(sequence_of(point)));
    }
  }

  // Within a column: the first point, both extremes, the last point.
  template <class Read>
  std::string path(const Read& read) const {
    std::string out;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto [first, last] = columns_[i];
      std::uint64_t least = read(points_[first]), most = least;
      for (std::size_t point = first; point <= last; ++point) {
        least = std::min(least, read(points_[point]));
        most = std::max(most, read(points_[point]));
      }
      out += (out.empty() ? 'M' : 'H') + coordinate_text(x_of(i));
      if (i == 0) out += ',' + coordinate_text(y_of(read(points_[first])));
      std::uint64_t drawn = i == 0 ? read(points_[first]) : UINT64_MAX;
      for (const std::uint64_t bytes : {read(points_[first]), least, most, read(points_[last])}) {
        if (bytes != drawn) out += 'V' + coordinate_text(y_of(bytes));
        drawn = bytes;
      }
    }
    return out + 'H' + coordinate_text(right);
  }

  template <class Read>
  void draw_line(const char* name, const Read& read) {
    text_ += "<path class=\"line " + std::string(name) + "\" d=\"" + path(read) + "\"/>\n";
  }
  template <class Read>
  void draw_area(const char* name, const Read& read) {
    text_ += "<path class=\"area " + std::string(name) + "\" d=\"" + path(read) + 'V' +
             coordinate_text(bottom) + 'H' + coordinate_text(left) + "Z\"/>\n";
  }

  bool has(const Column& column, PoolEventKind kind) const {
    for (std::size_t point = std::max<std::size_t>(column.first_point, 1); point <= column.last_point;
         ++point) {
      if (snapshot_.events[point - 1].kind == kind) return true;
    }
    return false;
  }

  // A row of marks for the columns in which blocks were allocated, and one for those that evict.
  void draw_ticks() {
    double y = ticks_top;
    for (const auto& [kind, name] :
         {std::pair{PoolEventKind::allocate, "miss"}, std::pair{PoolEventKind::evict, "evict"}}) {
      std::string marks;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (has(columns_[i], kind)) {
          marks += 'M' + coordinate_text(middle_of(i)) + ',' + coordinate_text(y) + "v12";
        }
      }
      text_ += "<path class=\"tick " + std::string(name) + "\" d=\"" + marks + "\"/>\n";
      label(left - 8, y + 10, "end", std::string(name) == "miss" ? "misses" : "evictions");
      y += 16;
    }
  }

  // What a pointer that rests on a column is told.
  void draw_titles() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const TimelinePoint& point = points_[columns_[i].last_point];
      text_ += "<rect class=\"hover\" x=\"" + coordinate_text(x_of(i)) + "\" y=\"" + coordinate_text(top) +
               "\" width=\"" + coordinate_text(x_of(i + 1) - x_of(i)) + "\" height=\"" +
               coordinate_text(bottom - top) + "\"><title>after event " +
               count_text(sequence_of(columns_[i].last_point)) + "\nreserved " +
               byte_text(point.reserved_bytes()) + "\nlive " + byte_text(point.live_bytes) + "\nidle " +
               byte_text(point.idle_bytes) + "</title></rect>\n";
    }
  }

  const PoolSnapshot& snapshot_;
  std::vector<TimelinePoint> points_;
  std::vector<Column> columns_;
  std::uint64_t step_bytes_ = 1;
  std::uint64_t scale_bytes_ = 1;
  std::string text_;
};

}  // namespace

std::string timeline_chart(const PoolSnapshot& snapshot) { return Chart(snapshot).draw(); }

}  // namespace tenure::pool_report
