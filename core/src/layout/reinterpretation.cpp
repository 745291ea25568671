// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/reinterpretation.hpp"

#include <array>
#include <string>

#include "tenure/abi/checked_math.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

std::int64_t doubled(std::int64_t value) {
  std::int64_t result = 0;
  if (!abi::checked_multiply(value, std::int64_t{2}, result)) {
    throw ValidationError("Layout::as_real", IntegerOverflow{"stride or offset in real elements"});
  }
  return result;
}

std::int64_t halved(std::int64_t value, const char* what) {
  if (value % 2 != 0) {
    throw ValidationError("Layout::as_complex",
                          InvalidArgument{"layout", std::string("the ") + what + " must be even, found " +
                                                        std::to_string(value) +
                                                        "; a complex number starts at every second element"});
  }
  return value / 2;
}

DType part_of(DType complex) { return complex == complex64 ? f32 : f64; }

}  // namespace

Layout Layout::as_real() const {
  constexpr const char* operation = "Layout::as_real";
  if (rank() == rank_max) throw ValidationError(operation, RankTooLarge{rank() + 1, rank_max});
  std::array<std::int64_t, rank_max> extents{2};
  std::array<std::int64_t, rank_max> strides{1};
  for (std::int64_t axis = 0; axis < rank(); ++axis) {
    const auto to = static_cast<std::size_t>(axis + 1);
    extents[to] = extent(axis);
    strides[to] = extent(axis) == 1 ? 1 : doubled(stride(axis));
  }
  const auto count = static_cast<std::size_t>(rank() + 1);
  Layout result =
      checked(operation, std::span(extents).first(count), std::span(strides).first(count), doubled(offset_));
  if (!is_empty()) result.injectivity_ = injectivity_;
  return result;
}

Layout Layout::as_complex() const {
  if (rank() == 0 || extent(0) != 2 || stride(0) != 1) {
    throw ValidationError("Layout::as_complex",
                          InvalidArgument{"layout",
                                          "the first axis must have extent 2 and stride 1: the real and the "
                                          "imaginary part; put the parts side by side with to_col_major"});
  }
  Layout result = without_axis(0);
  if (is_empty()) return result;
  result.offset_ = halved(offset_, "offset");
  for (std::int64_t axis = 0; axis < result.rank(); ++axis) {
    if (result.extent(axis) != 1) {
      result.axes_.strides()[axis] = halved(result.stride(axis), "stride of every other axis");
    }
  }
  return result;
}

Layout reinterpret_layout(const Layout& layout, DType from, DType to) {
  if (from == to) return layout;
  if (from.is_complex() && to == part_of(from)) return layout.as_real();
  if (to.is_complex() && from == part_of(to)) return layout.as_complex();
  if (from.bytes() == to.bytes() && !to.is_boolean()) return layout;
  throw ValidationError("reinterpret_layout",
                        UnsupportedReinterpretation{std::string(from.name()), std::string(to.name())});
}

}  // namespace tenure::inline TENURE_BUILD
