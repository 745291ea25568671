// SPDX-License-Identifier: Apache-2.0
#include "operand.hpp"

#include <algorithm>
#include <string>

#include "cpu_storage.hpp"
#include "tenure/sdk/error.hpp"

namespace tenure::cpu {
namespace {

std::string describe(std::span<const std::int64_t> extents) {
  std::string text = "[";
  for (const std::int64_t extent : extents) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(extent);
  }
  return text + "]";
}

}  // namespace

Operand to_operand(const tenure_operand& operand) {
  if (operand.rank > TENURE_RANK_MAX) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT,
                     "an operand has rank " + std::to_string(operand.rank) + "; the highest rank is 64");
  }
  if (operand.rank != 0 && (operand.extents == nullptr || operand.strides == nullptr)) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "an operand has a rank but no extents or no strides");
  }
  Operand result;
  result.dtype = dtype_index(operand.dtype);
  if (result.dtype == dtype_count) {
    throw sdk::Error(TENURE_UNIMPLEMENTED, "an operand has dtype code " + std::to_string(operand.dtype.code) +
                                               " with " + std::to_string(operand.dtype.bits) + " bits and " +
                                               std::to_string(operand.dtype.lanes) +
                                               " lanes, which the CPU engine does not know");
  }
  result.extents = {operand.extents, operand.rank};
  result.strides = {operand.strides, operand.rank};
  result.address = static_cast<std::byte*>(operand.address);
  if (result.address == nullptr && operand.storage != nullptr) {
    const auto* const storage = reinterpret_cast<const CpuStorage*>(operand.storage);
    result.address = static_cast<std::byte*>(storage->address) + operand.offset_bytes;
  }
  if (result.address == nullptr && element_count(result.extents) != 0) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT,
                     "an operand with elements has neither an address nor a storage");
  }
  return result;
}

std::int64_t element_count(std::span<const std::int64_t> extents) noexcept {
  // Beside an extent of 0 the others may have any product.
  if (std::ranges::count(extents, 0) != 0) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

bool is_compact(const Operand& operand) noexcept {
  if (element_count(operand.extents) == 0) return true;
  std::int64_t expected = 1;
  for (std::size_t axis = 0; axis < operand.extents.size(); ++axis) {
    if (operand.extents[axis] == 1) continue;
    if (operand.strides[axis] != expected) return false;
    expected *= operand.extents[axis];
  }
  return true;
}

bool is_constant(const Operand& operand) noexcept {
  for (std::size_t axis = 0; axis < operand.extents.size(); ++axis) {
    if (operand.extents[axis] != 1 && operand.strides[axis] != 0) return false;
  }
  return true;
}

void require_equal_extents(const Operand& left, const Operand& right) {
  if (std::ranges::equal(left.extents, right.extents)) return;
  throw sdk::Error(TENURE_INVALID_ARGUMENT, "operands must have equal extents; found " +
                                                describe(left.extents) + " and " + describe(right.extents));
}

void refuse_dtypes(std::string_view what, std::span<const Operand> operands) {
  std::string text;
  for (const Operand& operand : operands) {
    if (!text.empty()) text += ", ";
    text += operand.dtype_name();
  }
  throw sdk::Error(TENURE_UNIMPLEMENTED,
                   "the CPU engine does not compute " + std::string(what) + " of (" + text + ")");
}

}  // namespace tenure::cpu
