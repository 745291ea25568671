// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/injectivity.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "layout/bounded_equation.hpp"
#include "layout/kernel_lattice.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// How many of the steps the search by equations may take before the lattice decides. Layouts made by slicing
// and reordering take a few.
constexpr std::uint64_t equation_work_max = 2048;

// The axes of extent 2 and more, the smallest stride first. Two indices name one element when the sum of
// stride times difference is zero, for differences that are not all zero.
class DifferenceAxes {
 public:
  explicit DifferenceAxes(const Layout& layout) noexcept : layout_(layout) {
    for (std::int64_t axis = 0; axis < layout.rank(); ++axis) {
      if (layout.extent(axis) > 1) axes_[count_++] = axis;
    }
    const auto distance = [&](std::int64_t axis) { return std::abs(layout.stride(axis)); };
    std::sort(axes_.data(), axes_.data() + count_,
              [&](std::int64_t a, std::int64_t b) { return distance(a) < distance(b); });
    for (std::size_t i = 0; i < count_; ++i) {
      strides_[i] = distance(axes_[i]);
      bounds_[i] = layout.extent(axes_[i]) - 1;
    }
  }

  std::size_t count() const noexcept { return count_; }
  std::span<const std::int64_t> strides() const noexcept { return {strides_.data(), count_}; }
  std::span<const std::int64_t> bounds() const noexcept { return {bounds_.data(), count_}; }

  // The indices whose differences along these axes are `differences`.
  IndexPair indices(std::span<const std::int64_t> differences) const {
    const auto rank = static_cast<std::size_t>(layout_.rank());
    IndexPair pair{ElementIndex(rank), ElementIndex(rank)};
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int64_t axis = axes_[i];
      const std::int64_t difference = layout_.stride(axis) < 0 ? -differences[i] : differences[i];
      (difference < 0 ? pair.first : pair.second)[static_cast<std::size_t>(axis)] = std::abs(difference);
    }
    return pair;
  }

 private:
  const Layout& layout_;
  std::size_t count_ = 0;
  std::array<std::int64_t, Layout::rank_max> axes_;
  std::array<std::int64_t, Layout::rank_max> strides_;
  std::array<std::int64_t, Layout::rank_max> bounds_;
};

// True when every stride steps over all that the smaller ones reach.
bool is_nested(const DifferenceAxes& axes) noexcept {
  std::int64_t reach = 0;
  for (std::size_t i = 0; i < axes.count(); ++i) {
    if (axes.strides()[i] <= reach) return false;
    reach += axes.strides()[i] * axes.bounds()[i];
  }
  return true;
}

struct Differences {
  SearchAnswer answer;                // yes: there are differences
  std::vector<std::int64_t> numbers;  // with answer yes
  std::uint64_t work;
};

// Differences of which the one along axis `leading` is positive and those of larger strides are zero.
Differences solve_leading(const DifferenceAxes& axes, std::size_t leading, std::uint64_t work_limit) {
  BoundedEquation equation;
  // Each difference is written as a factor that starts at zero.
  Integer128 value = -Integer128{axes.strides()[leading]};
  for (std::size_t i = 0; i < leading; ++i) {
    equation.add(axes.strides()[i], 2 * Integer128{axes.bounds()[i]});
    value += Integer128{axes.strides()[i]} * axes.bounds()[i];
  }
  equation.add(axes.strides()[leading], axes.bounds()[leading] - 1);
  Differences result{equation.solve(value, work_limit), {}, equation.work()};
  if (result.answer == SearchAnswer::yes) {
    result.numbers.resize(axes.count());
    for (std::size_t i = 0; i < leading; ++i) {
      result.numbers[i] = static_cast<std::int64_t>(equation.factor(i) - axes.bounds()[i]);
    }
    result.numbers[leading] = static_cast<std::int64_t>(equation.factor(leading)) + 1;
  }
  return result;
}

Differences find_by_equations(const DifferenceAxes& axes, std::uint64_t work_limit) {
  std::uint64_t work = 0;
  for (std::size_t leading = 0; leading < axes.count(); ++leading) {
    Differences found = solve_leading(axes, leading, work_limit - work);
    work += found.work;
    if (found.answer != SearchAnswer::no) {
      found.work = work;
      return found;
    }
  }
  return {SearchAnswer::no, {}, work};
}

Differences find_differences(const DifferenceAxes& axes, std::uint64_t work_limit) {
  Differences found = find_by_equations(axes, std::min(work_limit, equation_work_max));
  if (found.answer != SearchAnswer::undecided) return found;
  KernelVector kernel = find_kernel_vector(axes.strides(), axes.bounds(), work_limit - found.work);
  return {kernel.answer, std::move(kernel.vector), found.work + kernel.work};
}

}  // namespace

InjectivityVerdict decide_injectivity(const Layout& layout, std::uint64_t work_limit) {
  const bool known = layout.injectivity() == Injectivity::yes || layout.is_empty();
  if (known) return {SearchAnswer::yes, std::nullopt, 0};
  const DifferenceAxes axes(layout);
  if (is_nested(axes)) return {SearchAnswer::yes, std::nullopt, 0};
  if (axes.strides()[0] == 0) {
    std::vector<std::int64_t> differences(axes.count());
    differences[0] = 1;
    return {SearchAnswer::no, axes.indices(differences), 0};
  }
  Differences found = find_differences(axes, work_limit);
  switch (found.answer) {
    case SearchAnswer::no:
      return {SearchAnswer::yes, std::nullopt, found.work};
    case SearchAnswer::yes:
      return {SearchAnswer::no, axes.indices(found.numbers), found.work};
    default:
      return {SearchAnswer::undecided, std::nullopt, found.work};
  }
}

void require_injective(Layout& layout, const char* operation, std::uint64_t work_limit) {
  if (layout.injectivity() == Injectivity::yes) return;
  InjectivityVerdict verdict = decide_injectivity(layout, work_limit);
  if (verdict.answer != SearchAnswer::yes) {
    throw ValidationError(operation, OverlappingMutableLayout{std::move(verdict.witness), verdict.work});
  }
  layout.record_injectivity(Injectivity::yes);
}

}  // namespace tenure::inline TENURE_BUILD
