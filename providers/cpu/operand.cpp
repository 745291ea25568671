// SPDX-License-Identifier: Apache-2.0
#include "operand.hpp"

#include <cstdint>
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

[[noreturn]] void refuse_operand(const tenure_operand& operand) {
  if (operand.rank > TENURE_RANK_MAX) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT,
                     "an operand has rank " + std::to_string(operand.rank) + "; the highest rank is 64");
  }
  if (operand.rank != 0 && (operand.extents == nullptr || operand.strides == nullptr)) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "an operand has a rank but no extents or no strides");
  }
  throw sdk::Error(TENURE_UNIMPLEMENTED, "an operand has dtype code " + std::to_string(operand.dtype.code) +
                                             " with " + std::to_string(operand.dtype.bits) + " bits and " +
                                             std::to_string(operand.dtype.lanes) +
                                             " lanes, which the CPU engine does not know");
}

// An operand without an address, with that of its storage.
Operand at_storage(const tenure_operand& operand, Operand result) {
  if (operand.storage != nullptr) {
    const auto* const storage = reinterpret_cast<const CpuStorage*>(operand.storage);
    result.address = static_cast<std::byte*>(storage->address) + operand.offset_bytes;
  }
  if (result.address == nullptr && element_count(result.extents) != 0) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT,
                     "an operand with elements has neither an address nor a storage");
  }
  return result;
}

}  // namespace

Operand complete_operand(const tenure_operand& operand, Operand result) {
  const bool has_axes = operand.extents != nullptr && operand.strides != nullptr;
  if (operand.rank > TENURE_RANK_MAX || (operand.rank != 0 && !has_axes) || result.dtype == dtype_count)
    refuse_operand(operand);
  return result.address != nullptr ? result : at_storage(operand, result);
}

void throw_unequal_extents(const Operand& left, const Operand& right) {
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
