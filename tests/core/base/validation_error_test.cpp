// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/validation_error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using tenure::ValidationError;

TEST_CASE("ValidationError: the detail keeps its type and its numbers") {
  const ValidationError error("Layout::select", tenure::IndexOutOfBounds{1, 7, 3});

  REQUIRE(error.get_if<tenure::IndexOutOfBounds>() != nullptr);
  CHECK(error.get_if<tenure::IndexOutOfBounds>()->axis == 1);
  CHECK(error.get_if<tenure::IndexOutOfBounds>()->index == 7);
  CHECK(error.get_if<tenure::IndexOutOfBounds>()->extent == 3);
  CHECK(error.get_if<tenure::RankMismatch>() == nullptr);
  CHECK(error.code() == tenure::ErrorCode::validation);
  CHECK(error.operation() == "Layout::select");
}

TEST_CASE("ValidationError: a copy never throws and shows the same detail") {
  static_assert(std::is_nothrow_copy_constructible_v<ValidationError>);
  static_assert(std::is_nothrow_copy_assignable_v<ValidationError>);

  const ValidationError original("reshape", tenure::ShapeMismatch{{2, 3}, {4}, tenure::ShapeRule::broadcast});
  const ValidationError copy = original;

  CHECK(&copy.detail() == &original.detail());
  CHECK(copy.what() == original.what());
}

TEST_CASE("ValidationError: another operation takes the mistake over without a new layer") {
  const ValidationError inner("Layout::slice", tenure::InvalidSliceStep{2});
  const ValidationError outer = inner.with_operation("TensorView::slice");

  CHECK(outer.operation() == "TensorView::slice");
  CHECK(outer.message() == inner.message());
  CHECK(outer.cause() == nullptr);
  CHECK(outer.get_if<tenure::InvalidSliceStep>()->axis == 2);
}

TEST_CASE("ValidationError: every detail has a sentence that says what was found") {
  const tenure::OverlappingMutableLayout proven{tenure::IndexPair{{0, 0}, {1, 2}}, 5};
  const tenure::OverlappingMutableLayout undecided{std::nullopt, 99};
  const std::pair<tenure::ValidationDetail, std::string> cases[] = {
      {tenure::RankMismatch{2, 3, tenure::RankRule::operands}, "rank 2, found 3; operands broadcast"},
      {tenure::RankMismatch{2, 3, tenure::RankRule::destination},
       "rank 2, found 3; give a destination of the rank"},
      {tenure::RankMismatch{2, 1, tenure::RankRule::matrix}, "rank 2, found 1; matmul takes matrices"},
      {tenure::RankMismatch{2, 3, tenure::RankRule::parts}, "rank 2, found 3; give parts of equal rank"},
      {tenure::RankMismatch{2, 3, tenure::RankRule::type},
       "rank 2, found 3; name the rank that the tensor has"},
      {tenure::RankMismatch{1, 3, tenure::RankRule::extents},
       "1 extent, found 3; give one for each axis of the type"},
      {tenure::RankMismatch{2, 3, tenure::RankRule::strides}, "2 strides, found 3; give one for each axis"},
      {tenure::RankMismatch{2, 3, tenure::RankRule::index}, "2 indices, found 3; give one for each axis"},
      {tenure::RankMismatch{1, 3, tenure::RankRule::slices}, "1 slice, found 3; give one for each axis"},
      {tenure::RankMismatch{2, 3, tenure::RankRule::padding},
       "2 pairs of paddings, found 3; give one for each axis"},
      {tenure::RankMismatch{2, 3, tenure::RankRule::target_extents},
       "2 extents, found 3; give one for each axis, insert_axis adds axes first"},
      {tenure::RankTooLarge{65, 64}, "at most 64, found 65"},
      {tenure::ShapeDataLengthMismatch{6, 5}, "call for 6 elements, found 5"},
      {tenure::ShapeDataLengthMismatch{1, 5}, "call for 1 element, found 5"},
      {tenure::ShapeMismatch{{2, 3}, {}, tenure::ShapeRule::destination},
       "expected a destination of the extents [2, 3], found one of []; give one of exactly the extents"},
      {tenure::ShapeMismatch{{2, 3}, {2, 4}, tenure::ShapeRule::broadcast},
       "[2, 3] and [2, 4] do not agree; only an extent of 1 broadcasts"},
      {tenure::PairedExtentMismatch{"batch axes", 1, 3, 0, 4},
       "the batch axes are paired, but axis 1 of the left operand has extent 3 and axis 0 of the right one "
       "4"},
      {tenure::ReshapeElementCount{6, 8}, "for 6 elements, found extents for 8"},
      {tenure::DTypeMismatch{"f64", "f32"}, "expected dtype f64, found f32; nothing is promoted"},
      {tenure::DTypeMismatch{"f64", "f32", tenure::DTypeRule::destination},
       "expected a destination of dtype f64, found one of f32"},
      {tenure::DTypeMismatch{"one of f32, f64", "i32", tenure::DTypeRule::taken},
       "expected dtype one of f32, f64, found i32; cast to convert first"},
      {tenure::DTypeMismatch{"one of i32, f64", "bool", tenure::DTypeRule::taken},
       "a bool is no number: cast it to one, or use all, any, logical_and"},
      {tenure::UnsupportedDType{"f8"}, "dtype f8 is not supported"},
      {tenure::UnsupportedReinterpretation{"u8", "f64"}, "dtype u8 cannot be read as f64"},
      {tenure::AxisOutOfBounds{2, 2}, "axis 2 does not exist at rank 2; axes run from -2 to 1"},
      {tenure::AxisOutOfBounds{0, 0}, "rank 0 has no axes"},
      {tenure::DuplicateAxis{1, "permutation"}, "axis 1 occurs twice in the permutation"},
      {tenure::InvalidPermutationLength{3, 2}, "a permutation of 3 axes, found 2"},
      {tenure::InvalidSliceStep{0}, "axis 0 has step 0"},
      {tenure::IndexOutOfBounds{1, -4, 3}, "index -4 of axis 1 lies outside its extent 3"},
      {tenure::IndexOutOfBounds{0, -1, 3, true}, "index 18446744073709551615 of axis 0 lies outside"},
      {tenure::IntegerOverflow{"element count"}, "the element count does not fit into 64 bits"},
      {tenure::NegativeExtent{0, -1}, "axis 0 has extent -1"},
      {tenure::ViewOutOfBounds{-2, 7, 6}, "elements -2 to 7 are reached, of 6"},
      {proven, "[0, 0] and [1, 2] name the same element"},
      {undecided, "could not be excluded in 99 steps"},
      {tenure::NotCompact{{2, 2}, {4, 1}}, "to_col_major"},
      {tenure::Misaligned{8, 4}, "aligned to 8 bytes, found one aligned to 4"},
      {tenure::MissingAllocationIdentity{"domain"}, "found no domain"},
      {tenure::InvalidArgument{"threads", "must be 1 or more"}, "threads: must be 1 or more"},
  };
  for (const auto& [detail, words] : cases) {
    const ValidationError error("operation", detail);
    CAPTURE(error.what());
    CHECK(error.message().find(words) != std::string_view::npos);
  }
}
