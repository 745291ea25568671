// SPDX-License-Identifier: Apache-2.0
// validation_error: an argument that can never be right, with what was wanted and what was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tenure/base/error.hpp"
#include "tenure/base/index_pair.hpp"

namespace tenure::inline TENURE_BUILD {

// Whose rank was wrong, or which list did not have one entry for each axis.
enum class RankRule {
  operands,     // which broadcast at equal rank only
  destination,  // that of the result
  matrix,       // an operand of matmul
  parts,        // of a concatenation
  type,         // the static rank of a type that a tensor is converted to
  extents,      // given to a type of static rank
  strides,
  index,
  slices,
  padding,
  target_extents,  // of broadcast_to
};
struct RankMismatch {
  std::int64_t expected;
  std::int64_t actual;
  RankRule rule;
};
struct RankTooLarge {
  std::int64_t rank;
  std::int64_t rank_max;
};
// The number of values that were given is not the number of elements of the extents.
struct ShapeDataLengthMismatch {
  std::int64_t expected_elements;
  std::int64_t actual_elements;
};
// How two lists of extents have to go together.
enum class ShapeRule {
  destination,  // `right`, that of a destination, is `left` at every axis
  broadcast,    // equal at every axis, or one of the two is 1
};
struct ShapeMismatch {
  std::vector<std::int64_t> left;
  std::vector<std::int64_t> right;
  ShapeRule rule;
};
// Two axes that a contraction pairs have different extents.
struct PairedExtentMismatch {
  std::string role;  // what the axes are, such as "contracted axes"
  std::int64_t left_axis;
  std::int64_t left_extent;
  std::int64_t right_axis;
  std::int64_t right_extent;
};
struct ReshapeElementCount {
  std::int64_t from_elements;
  std::int64_t to_elements;
};
// What the element type is compared with.
enum class DTypeRule {
  operand,      // the type of another operand, or the one that is asked for
  destination,  // the type of the result
  taken,        // the types that an operation takes, listed
};
struct DTypeMismatch {
  std::string expected;
  std::string actual;
  DTypeRule rule = DTypeRule::operand;
};
struct UnsupportedDType {
  std::string dtype;
};
struct UnsupportedReinterpretation {
  std::string from;
  std::string to;
};
struct AxisOutOfBounds {
  std::int64_t axis;
  std::int64_t rank;
};
struct DuplicateAxis {
  std::int64_t axis;
  std::string role;  // what the list of axes is for, such as "permutation"
};
struct InvalidPermutationLength {
  std::int64_t expected;
  std::int64_t actual;
};
struct InvalidSliceStep {
  std::int64_t axis;
};
struct IndexOutOfBounds {
  std::int64_t axis;
  std::int64_t index;
  std::int64_t extent;
  bool is_unsigned = false;  // `index` has the bits of a std::uint64_t that no std::int64_t holds
};
struct IntegerOverflow {
  std::string quantity;  // one number that does not fit, such as "element count"
};
struct NegativeExtent {
  std::int64_t axis;
  std::int64_t extent;
};
// Elements `lowest` to `highest` are reached, elements 0 to `available` - 1 exist.
struct ViewOutOfBounds {
  std::int64_t lowest;
  std::int64_t highest;
  std::int64_t available;
};
// Two indices share an element (`witness` says which), or it could not be excluded (no witness).
struct OverlappingMutableLayout {
  std::optional<IndexPair> witness;
  std::uint64_t work;  // search steps spent
};
// The elements do not lie in one run with the first axis fastest.
struct NotCompact {
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
};
struct Misaligned {
  std::size_t required_bytes;
  std::size_t actual_bytes;
};
// Memory is imported by its domain and its allocation id, and one of them is missing.
struct MissingAllocationIdentity {
  std::string field;
};
struct InvalidArgument {
  std::string argument;
  std::string message;
};

using ValidationDetail =
    std::variant<RankMismatch, RankTooLarge, ShapeDataLengthMismatch, ShapeMismatch, PairedExtentMismatch,
                 ReshapeElementCount, DTypeMismatch, UnsupportedDType, UnsupportedReinterpretation,
                 AxisOutOfBounds, DuplicateAxis, InvalidPermutationLength, InvalidSliceStep, IndexOutOfBounds,
                 IntegerOverflow, NegativeExtent, ViewOutOfBounds, OverlappingMutableLayout, NotCompact,
                 Misaligned, MissingAllocationIdentity, InvalidArgument>;

// The message is made from the detail, so equal mistakes read the same everywhere.
class TENURE_API ValidationError final : public Error {
 public:
  ValidationError(std::string operation, ValidationDetail detail,
                  std::shared_ptr<const Error> cause = nullptr);
  ~ValidationError() override;
  ValidationError(const ValidationError&) noexcept;
  ValidationError& operator=(const ValidationError&) noexcept;

  const ValidationDetail& detail() const noexcept { return *detail_; }
  // The detail if it is a T, otherwise null: `error.get_if<RankMismatch>()`.
  template <class T>
  const T* get_if() const noexcept {
    return std::get_if<T>(detail_.get());
  }
  // The same mistake as seen by the caller's operation; no layer is added.
  ValidationError with_operation(std::string operation) const;

 private:
  std::shared_ptr<const ValidationDetail> detail_;
};

}  // namespace tenure::inline TENURE_BUILD
