// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/validation_error.hpp"

#include <locale>
#include <sstream>
#include <utility>

#include "base/number_list.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

void describe(std::ostream& out, const RankMismatch& d) {
  out << "expected rank " << d.expected << ", found rank " << d.actual
      << "; give one number for each axis or change the rank with insert_axis or reshape";
}

void describe(std::ostream& out, const RankTooLarge& d) {
  out << "expected a rank of at most " << d.rank_max << ", found " << d.rank << "; join axes with reshape";
}

void describe(std::ostream& out, const ShapeDataLengthMismatch& d) {
  out << "the extents call for " << d.expected_elements << " elements, found " << d.actual_elements
      << "; the two must be equal";
}

void describe(std::ostream& out, const ShapeMismatch& d) {
  out << "the extents " << text_of(d.left) << " and " << text_of(d.right);
  if (d.rule == ShapeRule::broadcast) {
    out << " do not agree; only an extent of 1 broadcasts, and only at equal rank";
  } else {
    out << " are not equal, as they must be here";
  }
}

void describe(std::ostream& out, const PairedExtentMismatch& d) {
  out << "the " << d.role << " are paired, but axis " << d.left_axis << " of the left operand has extent "
      << d.left_extent << " and axis " << d.right_axis << " of the right one " << d.right_extent
      << "; give operands whose extents are equal there, or pair other axes";
}

void describe(std::ostream& out, const ReshapeElementCount& d) {
  out << "expected extents for " << d.from_elements << " elements, found extents for " << d.to_elements
      << "; a reshape keeps the number of elements";
}

void describe(std::ostream& out, const DTypeMismatch& d) {
  out << "expected dtype " << d.expected << ", found " << d.actual
      << "; nothing is promoted, use cast to convert";
}

void describe(std::ostream& out, const UnsupportedDType& d) {
  out << "dtype " << d.dtype << " is not supported here; use cast to convert to one that is";
}

void describe(std::ostream& out, const UnsupportedReinterpretation& d) {
  out << "bytes of dtype " << d.from << " cannot be read as " << d.to
      << "; complex numbers have parts, and bytes that are not known to be 0 or 1 are no bool; use cast to "
         "convert values";
}

void describe(std::ostream& out, const AxisOutOfBounds& d) {
  out << "axis " << d.axis << " does not exist at rank " << d.rank << "; ";
  if (d.rank == 0) {
    out << "rank 0 has no axes";
  } else {
    out << "axes run from " << -d.rank << " to " << d.rank - 1;
  }
}

void describe(std::ostream& out, const DuplicateAxis& d) {
  out << "axis " << d.axis << " occurs twice in the " << d.role << "; name each axis once";
}

void describe(std::ostream& out, const InvalidPermutationLength& d) {
  out << "expected a permutation of " << d.expected << " axes, found " << d.actual
      << " of them; name each axis once";
}

void describe(std::ostream& out, const InvalidSliceStep& d) {
  out << "the slice of axis " << d.axis << " has step 0; use select to keep one index";
}

void describe(std::ostream& out, const IndexOutOfBounds& d) {
  out << "index " << d.index << " of axis " << d.axis << " lies outside its extent " << d.extent;
}

void describe(std::ostream& out, const IntegerOverflow& d) {
  out << "the " << d.quantity << " does not fit into 64 bits; use smaller extents or strides";
}

void describe(std::ostream& out, const NegativeExtent& d) {
  out << "axis " << d.axis << " has extent " << d.extent << "; an extent is 0 or more";
}

void describe(std::ostream& out, const ViewOutOfBounds& d) {
  out << "elements " << d.lowest << " to " << d.highest << " are reached, of " << d.available
      << " that there are; change extents, strides or offset";
}

void describe(std::ostream& out, const OverlappingMutableLayout& d) {
  if (d.witness.has_value()) {
    out << "the indices " << text_of(d.witness->first) << " and " << text_of(d.witness->second)
        << " name the same element, and what is written must not overlap itself";
  } else {
    out << "it could not be excluded in " << d.work
        << " steps that two indices name the same element, and what is written must not overlap itself";
  }
  out << "; write to a compact tensor and copy";
}

void describe(std::ostream& out, const NotCompact& d) {
  out << "extents " << text_of(d.extents) << " with strides " << text_of(d.strides)
      << " are not compact with the first axis fastest as this needs; make a compact copy with to_col_major";
}

void describe(std::ostream& out, const Misaligned& d) {
  out << "expected an address aligned to " << d.required_bytes << " bytes, found one aligned to "
      << d.actual_bytes << "; copy to aligned memory with to_col_major";
}

void describe(std::ostream& out, const MissingAllocationIdentity& d) {
  out << "imported memory needs a domain and an allocation id, found no " << d.field
      << "; import into a domain whose memory has an identity, or adopt host memory with from_data_ptr";
}

void describe(std::ostream& out, const InvalidArgument& d) { out << d.argument << ": " << d.message; }

std::string message_of(const ValidationDetail& detail) {
  std::ostringstream sentence;
  sentence.imbue(std::locale::classic());
  std::visit([&](const auto& kind) { describe(sentence, kind); }, detail);
  return std::move(sentence).str();
}

}  // namespace

ValidationError::ValidationError(std::string operation, ValidationDetail detail,
                                 std::shared_ptr<const Error> cause)
    : Error(ErrorCode::validation, std::move(operation), message_of(detail), std::move(cause)),
      detail_(std::make_shared<const ValidationDetail>(std::move(detail))) {}

ValidationError::~ValidationError() = default;
ValidationError::ValidationError(const ValidationError&) noexcept = default;
ValidationError& ValidationError::operator=(const ValidationError&) noexcept = default;

ValidationError ValidationError::with_operation(std::string operation) const {
  return {std::move(operation), *detail_, cause()};
}

}  // namespace tenure::inline TENURE_BUILD
