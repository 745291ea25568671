// SPDX-License-Identifier: Apache-2.0
#include "triangle.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "loop_nest.hpp"
#include "tenure/sdk/error.hpp"

namespace tenure::cpu {
namespace {

// Indices [begin, end) of a line.
struct Range {
  std::int64_t begin;
  std::int64_t end;
};

// The triangle as lines along one of its axes.
class Lines {
 public:
  Lines(const tenure_triangle_attributes& attributes, const Operand& in, const Operand& out)
      : is_lower_(attributes.part == TENURE_TRIANGLE_LOWER),
        // Beyond the matrix all diagonals are alike, and places near it do not overflow.
        diagonal_(std::clamp(attributes.diagonal, -out.extents[0], out.extents[1])) {
    // Along the axis that is the faster one in the output.
    along_rows_ = out.extents[1] == 1 || std::abs(out.strides[0]) <= std::abs(out.strides[1]);
    const std::size_t along = along_rows_ ? 0 : 1;
    count_ = out.extents[along];
    out_stride_ = out.strides[along];
    in_stride_ = in.strides[along];
    for (std::size_t axis = 0; axis < out.extents.size(); ++axis) {
      // Not simplified: the innermost axis of this walk is the matrix's other one.
      if (axis != along) nest_.add_axis(out.extents[axis], {out.strides[axis], in.strides[axis]});
    }
    other_ = out.extents[1 - along];
  }

  std::int64_t line_count() const noexcept { return nest_.element_count(); }
  std::int64_t count() const noexcept { return count_; }
  std::int64_t out_stride() const noexcept { return out_stride_; }
  std::int64_t in_stride() const noexcept { return in_stride_; }
  std::int64_t out_offset(std::int64_t line) const noexcept { return nest_.offset(0, line); }
  std::int64_t in_offset(std::int64_t line) const noexcept { return nest_.offset(1, line); }

  // What a line keeps. (i, j) is kept where j - i <= diagonal (lower), or >= (upper).
  Range kept(std::int64_t line) const noexcept {
    const std::int64_t other = line % other_;
    const auto within = [&](std::int64_t place) { return std::clamp<std::int64_t>(place, 0, count_); };
    if (along_rows_) {
      return is_lower_ ? Range{within(other - diagonal_), count_} : Range{0, within(other - diagonal_ + 1)};
    }
    return is_lower_ ? Range{0, within(other + diagonal_ + 1)} : Range{within(other + diagonal_), count_};
  }

 private:
  bool is_lower_;
  std::int64_t diagonal_;
  bool along_rows_ = true;
  std::int64_t count_ = 0;  // elements in a line
  std::int64_t out_stride_ = 0;
  std::int64_t in_stride_ = 0;
  std::int64_t other_ = 1;  // lines in a matrix
  LoopNest nest_{2};        // the lines
};

}  // namespace

void run_triangle(const Executor& executor, const tenure_triangle_attributes& attributes, const Operand& in,
                  const Operand& out) {
  if (in.dtype != out.dtype) {
    const Operand operands[] = {in, out};
    refuse_dtypes("a triangle", operands);
  }
  if (attributes.part != TENURE_TRIANGLE_LOWER && attributes.part != TENURE_TRIANGLE_UPPER) {
    throw sdk::Error(TENURE_UNIMPLEMENTED,
                     "the CPU engine knows no part " + std::to_string(attributes.part) + " of a triangle");
  }
  require_equal_extents(in, out);
  if (out.extents.size() < 2) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "a triangle: the operands must have rank 2 at least");
  }
  if (element_count(out.extents) == 0) return;
  const Lines lines(attributes, in, out);
  const std::int64_t bytes = out.element_bytes();
  const PlaneKernel copy = executor.kernels.copy->plane[item_index(static_cast<std::size_t>(bytes))];
  const Division work = divide_work(executor, lines.line_count(), lines.count());
  for_each_task(executor, work, [&](std::int64_t begin, std::int64_t end) {
    alignas(16) constexpr std::byte zero[16] = {};
    for (std::int64_t line = begin; line < end; ++line) {
      const Range kept = lines.kept(line);
      std::byte* const target = out.address + lines.out_offset(line) * bytes;
      const std::byte* const source = in.address + lines.in_offset(line) * bytes;
      const auto write = [&](Range range, const std::byte* from, std::int64_t stride) {
        if (range.begin >= range.end) return;
        copy(from, {stride, 0}, target + range.begin * lines.out_stride() * bytes, {lines.out_stride(), 0},
             range.end - range.begin, 1);
      };
      write({0, kept.begin}, zero, 0);
      write(kept, source + kept.begin * lines.in_stride() * bytes, lines.in_stride());
      write({kept.end, lines.count()}, zero, 0);
    }
  });
}

}  // namespace tenure::cpu
