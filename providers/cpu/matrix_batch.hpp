// SPDX-License-Identifier: Apache-2.0
// matrix_batch: the matrices or vectors of an operand, moved to and from column-major scratch one at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor.hpp"
#include "loop_nest.hpp"
#include "operand.hpp"

namespace tenure::cpu {

// Axes 0 and 1 are rows and columns, of vectors (`axes` 1) axis 0 is the rows; the axes after them are the
// batch.
class MatrixBatch {
 public:
  MatrixBatch(const Executor& executor, const Operand& operand, std::size_t axes)
      : operand_(operand),
        copy_(executor.kernels.copy->plane[item_index(static_cast<std::size_t>(operand.element_bytes()))]),
        strides_{operand.strides[0], axes == 2 ? operand.strides[1] : 0},
        rows_(operand.extents[0]),
        columns_(axes == 2 ? operand.extents[1] : 1) {
    for (std::size_t axis = axes; axis < operand.extents.size(); ++axis)
      batch_.add_axis(operand.extents[axis], {operand.strides[axis]});
  }

  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t columns() const noexcept { return columns_; }
  std::int64_t count() const noexcept { return batch_.element_count(); }

  // Columns of the scratch are `leading` elements apart.
  void load(std::int64_t number, void* scratch, std::int64_t leading) const {
    copy_(at(number), strides_, scratch, {1, leading}, rows_, columns_);
  }
  void store(std::int64_t number, const void* scratch, std::int64_t leading) const {
    copy_(scratch, {1, leading}, at(number), strides_, rows_, columns_);
  }

 private:
  std::byte* at(std::int64_t number) const noexcept {
    return operand_.address + batch_.offset(0, number) * operand_.element_bytes();
  }

  const Operand& operand_;
  PlaneKernel copy_;
  Plane strides_;
  std::int64_t rows_;
  std::int64_t columns_;
  LoopNest batch_{1};
};

}  // namespace tenure::cpu
