// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/validation_error.hpp"

#include <locale>
#include <sstream>
#include <utility>

#include "base/counted.hpp"
#include "base/number_list.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// What was wanted: entries of a list, or a rank.
std::string wanted_of(const RankMismatch& d) {
  switch (d.rule) {
    case RankRule::extents:
    case RankRule::target_extents:
      return counted(d.expected, "extent");
    case RankRule::strides:
      return counted(d.expected, "stride");
    case RankRule::index:
      return counted(d.expected, "index", "indices");
    case RankRule::slices:
      return counted(d.expected, "slice");
    case RankRule::padding:
      return counted(d.expected, "pair of paddings", "pairs of paddings");
    default:
      return "rank " + std::to_string(d.expected);
  }
}

const char* advice_of(RankRule rule) noexcept {
  switch (rule) {
    case RankRule::operands:
      return "operands broadcast at equal rank only, insert_axis gives one an axis of extent 1";
    case RankRule::destination:
      return "give a destination of the rank of the result, for it is never resized";
    case RankRule::matrix:
      return "matmul takes matrices: insert_axis makes one of a vector, contract takes any rank";
    case RankRule::parts:
      return "give parts of equal rank, insert_axis gives one an axis of extent 1";
    case RankRule::type:
      return "name the rank that the tensor has, or none for any rank";
    case RankRule::extents:
      return "give one for each axis of the type, or name no rank in it";
    case RankRule::target_extents:
      return "give one for each axis, insert_axis adds axes first";
    default:
      return "give one for each axis";
  }
}

void describe(std::ostream& out, const RankMismatch& d) {
  out << "expected " << wanted_of(d) << ", found " << d.actual << "; " << advice_of(d.rule);
}

void describe(std::ostream& out, const RankTooLarge& d) {
  out << "expected a rank of at most " << d.rank_max << ", found " << d.rank << "; join axes with reshape";
}

void describe(std::ostream& out, const ShapeDataLengthMismatch& d) {
  out << "the extents call for " << counted(d.expected_elements, "element") << ", found " << d.actual_elements
      << "; the two must be equal";
}

void describe(std::ostream& out, const ShapeMismatch& d) {
  if (d.rule == ShapeRule::broadcast) {
    out << "the extents " << text_of(d.left) << " and " << text_of(d.right)
        << " do not agree; only an extent of 1 broadcasts, and only at equal rank";
  } else {
    out << "expected a destination of the extents " << text_of(d.left) << ", found one of "
        << text_of(d.right) << "; give one of exactly the extents of the result, for it is never resized";
  }
}

void describe(std::ostream& out, const PairedExtentMismatch& d) {
  out << "the " << d.role << " are paired, but axis " << d.left_axis << " of the left operand has extent "
      << d.left_extent << " and axis " << d.right_axis << " of the right one " << d.right_extent
      << "; give operands whose extents are equal there, or pair other axes";
}

void describe(std::ostream& out, const ReshapeElementCount& d) {
  out << "expected extents for " << counted(d.from_elements, "element") << ", found extents for "
      << d.to_elements << "; a reshape keeps the number of elements";
}

void describe(std::ostream& out, const DTypeMismatch& d) {
  switch (d.rule) {
    case DTypeRule::destination:
      out << "expected a destination of dtype " << d.expected << ", found one of " << d.actual
          << "; nothing is converted on the way: give one of the dtype of the result, cast_into writes it to "
             "another";
      return;
    case DTypeRule::taken:
      out << "expected dtype " << d.expected << ", found " << d.actual;
      if (d.actual == "bool") {
        out << "; a bool is no number: cast it to one, or use all, any, logical_and, logical_or, logical_xor";
      } else {
        out << "; cast to convert first";
      }
      return;
    case DTypeRule::operand:
      break;
  }
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
  out << "expected a permutation of " << counted(d.expected, "axis", "axes") << ", found " << d.actual
      << "; name each axis once";
}

void describe(std::ostream& out, const InvalidSliceStep& d) {
  out << "the slice of axis " << d.axis << " has step 0; use select to keep one index";
}

void describe(std::ostream& out, const IndexOutOfBounds& d) {
  out << "index ";
  if (d.is_unsigned) {
    out << static_cast<std::uint64_t>(d.index);
  } else {
    out << d.index;
  }
  out << " of axis " << d.axis << " lies outside its extent " << d.extent;
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
    out << "it could not be excluded in " << counted(d.work, "step")
        << " that two indices name the same element, and what is written must not overlap itself";
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
