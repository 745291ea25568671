// SPDX-License-Identifier: Apache-2.0
// Outputs that are put together from copies and fills of their parts: concatenate, pad, reverse,
// embed_diagonal.
#include <algorithm>
#include <array>
#include <string>

#include "execution/broadcast.hpp"
#include "execution/dtype_rule.hpp"
#include "execution/operand_list.hpp"
#include "layout/extents.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/abi/checked_math.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// For a use that ends within the operation: not tracked as a borrow.
ViewState part_of(const ViewState& whole, Layout&& layout) {
  return {whole.address(), whole.record(), std::move(layout), whole.dtype()};
}

std::int64_t checked_extent(const char* operation, std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!abi::checked_add(a, b, sum)) throw ValidationError(operation, IntegerOverflow{"extent"});
  return sum;
}

void require_target(const char* operation, DType dtype, const Extents& extents, const ViewState& target) {
  require_destination_dtype(operation, dtype, target.dtype());
  require_extents(operation, span_of(extents), target.layout());
}

// In every dtype.
tenure_scalar zero_of(DType dtype) noexcept { return {.dtype = dtype.abi(), .zero = 0, .value = {}}; }

// Parts side by side along one axis.
class Concatenation {
 public:
  Concatenation(const char* operation, std::span<const TensorRead> parts, std::int64_t axis)
      : operation_(operation), parts_(parts) {
    if (parts.empty()) {
      throw ValidationError(operation, InvalidArgument{"parts", "at least one was wanted, found none"});
    }
    axis_ = axis_from_front(operation, axis, parts[0].layout().rank());
    const auto first = parts[0].layout().extents();
    extents_.assign(first.begin(), first.end());
    for (std::size_t part = 1; part < parts.size(); ++part) append(part);
  }

  DType dtype() const noexcept { return parts_[0].dtype(); }
  const Extents& extents() const noexcept { return extents_; }
  void require_disjoint_from(const ViewState& target) const {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      require_disjoint(operation_, target, StateAccess::state(parts_[part]), output_and_input(0, part));
    }
  }
  // Calls move(part, its place in the target).
  template <class Move>
  void for_each_part(const ViewState& target, const Move& move) const {
    std::int64_t begin = 0;
    for (const TensorRead& part : parts_) {
      const std::int64_t end = begin + part.layout().extent(axis_);
      move(StateAccess::state(part),
           part_of(target, target.layout().slice(axis_, {.start = begin, .stop = end})));
      begin = end;
    }
  }

 private:
  void append(std::size_t part) {
    const Layout& layout = parts_[part].layout();
    require_equal_dtypes(operation_, dtype(), parts_[part].dtype());
    const auto rank = static_cast<std::int64_t>(extents_.size());
    if (layout.rank() != rank) {
      throw ValidationError(operation_, RankMismatch{rank, layout.rank(), RankRule::parts});
    }
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      std::int64_t& extent = extents_[static_cast<std::size_t>(axis)];
      if (axis == axis_) {
        extent = checked_extent(operation_, extent, layout.extent(axis));
      } else if (layout.extent(axis) != extent) {
        throw ValidationError(
            operation_, InvalidArgument{"parts", "part " + std::to_string(part) + " has extent " +
                                                     std::to_string(layout.extent(axis)) + " on axis " +
                                                     std::to_string(axis) + ", those before it have " +
                                                     std::to_string(extent) + "; parts differ on axis " +
                                                     std::to_string(axis_) + " alone"});
      }
    }
  }

  const char* operation_;
  std::span<const TensorRead> parts_;
  std::int64_t axis_ = 0;
  Extents extents_;
};

Extents padded_extents(const char* operation, const Layout& layout, std::span<const Padding> padding) {
  if (static_cast<std::int64_t>(padding.size()) != layout.rank()) {
    throw ValidationError(
        operation, RankMismatch{layout.rank(), static_cast<std::int64_t>(padding.size()), RankRule::padding});
  }
  Extents extents;
  for (const Padding& sides : padding) {
    const auto axis = static_cast<std::int64_t>(extents.size());
    if (sides.before < 0 || sides.after < 0) {
      throw ValidationError(
          operation,
          InvalidArgument{"padding", "numbers from 0 up were wanted, found " +
                                         std::to_string(std::min(sides.before, sides.after)) + " on axis " +
                                         std::to_string(axis) + "; take a slice to drop elements"});
    }
    extents.push_back(
        checked_extent(operation, checked_extent(operation, sides.before, sides.after), layout.extent(axis)));
  }
  return extents;
}

// Fills what is around the inner box, slab by slab, the last axis first, and gives the inner box.
template <class Fill>
Layout fill_around(const ViewState& target, std::span<const Padding> padding, const Fill& fill) {
  Layout box = target.layout();
  for (std::int64_t axis = box.rank() - 1; axis >= 0; --axis) {
    const Padding& sides = padding[static_cast<std::size_t>(axis)];
    const std::int64_t end = box.extent(axis) - sides.after;
    fill(part_of(target, box.slice(axis, {.start = 0, .stop = sides.before})));
    fill(part_of(target, box.slice(axis, {.start = end})));
    box = box.slice(axis, {.start = sides.before, .stop = end});
  }
  return box;
}

Layout reversed(const char* operation, const Layout& layout, const AxisSet& axes) {
  const std::uint64_t mask = axes.mask(operation, layout.rank());
  Layout result = layout;
  for (std::int64_t axis = 0; axis < layout.rank(); ++axis) {
    if (((mask >> axis) & 1) != 0) result = result.flip(axis);
  }
  return result;
}

// The extents of what has `layout` as the diagonal of two of its axes.
Extents embedded_extents(const char* operation, const Layout& layout, const DiagonalOptions& diagonal) {
  const std::int64_t rank = layout.rank() + 1;
  const std::int64_t axis = axis_from_front(operation, diagonal.axis, rank);
  const std::int64_t other_axis = axis_from_front(operation, diagonal.other_axis, rank);
  if (axis == other_axis) {
    throw ValidationError(operation, DuplicateAxis{.axis = diagonal.other_axis, .role = "diagonal"});
  }
  Extents extents(layout.extents().begin(), layout.extents().end());
  extents.insert(extents.begin() + other_axis, 0);
  // Its magnitude, but for the one number that has none.
  const std::int64_t offset = diagonal.offset < 0 ? -(diagonal.offset + 1) : diagonal.offset;
  std::int64_t& extent = extents[static_cast<std::size_t>(axis)];
  extent = checked_extent(operation, extent, offset);
  if (diagonal.offset < 0) extent = checked_extent(operation, extent, 1);
  extents[static_cast<std::size_t>(other_axis)] = extent;
  return extents;
}

}  // namespace

void Engine::move_elements(const char* operation, const ViewState& source, const ViewState& target) const {
  if (target.layout().is_empty()) return;
  OperandList operands(2);
  operands.add_input(source, source.layout().extents());
  operands.add_output(target);
  execute(operation, TENURE_OP_COPY, operands, nullptr);
}

void Engine::fill_elements(const char* operation, const tenure_scalar& value, const ViewState& target) const {
  if (target.layout().is_empty()) return;
  auto attributes = abi::make_struct<tenure_fill_attributes>();
  attributes.value = value;
  OperandList operands(1);
  operands.add_output(target);
  execute(operation, TENURE_OP_FILL, operands, &attributes);
}

void Engine::require_copy_support(const char* operation, DType dtype) const {
  require_support(operation, TENURE_OP_COPY, 0, std::array{dtype, dtype});
}

void Engine::require_fill_support(const char* operation, DType dtype) const {
  require_support(operation, TENURE_OP_FILL, 0, std::array{dtype});
}

Tensor Engine::concatenate(std::span<const TensorRead> parts, std::int64_t axis) const {
  constexpr const char* operation = "concatenate";
  live(operation);
  const Concatenation call(operation, parts, axis);
  require_copy_support(operation, call.dtype());
  OperandList operands(parts.size());
  for (const TensorRead& part : parts) {
    operands.add_input(StateAccess::state(part), part.layout().extents());
  }
  operands.require_mappable(operation);
  auto output = make_output(operation, call.dtype(), span_of(call.extents()));
  call.for_each_part(StateAccess::state(output).view(), [&](const ViewState& part, const ViewState& place) {
    move_elements(operation, part, place);
  });
  // The parts' places follow one another from the first index of the axis to the last.
  return std::move(output).assume_written();
}

void Engine::concatenate_into(std::span<const TensorRead> parts, std::int64_t axis,
                              const TensorWrite& out) const {
  constexpr const char* operation = "concatenate_into";
  live(operation);
  const Concatenation call(operation, parts, axis);
  require_copy_support(operation, call.dtype());
  const ViewState& target = StateAccess::state(out);
  require_target(operation, call.dtype(), call.extents(), target);
  call.require_disjoint_from(target);
  call.for_each_part(
      target, [&](const ViewState& part, const ViewState& place) { move_elements(operation, part, place); });
}

void Engine::pad_around(const char* operation, const ViewState& source, std::span<const Padding> padding,
                        const tenure_scalar& value, const ViewState& target) const {
  Layout inner =
      fill_around(target, padding, [&](const ViewState& slab) { fill_elements(operation, value, slab); });
  move_elements(operation, source, part_of(target, std::move(inner)));
}

Tensor Engine::pad_tensor(const TensorRead& a, std::span<const Padding> padding, const Scalar& value) const {
  constexpr const char* operation = "pad";
  live(operation);
  const Extents extents = padded_extents(operation, a.layout(), padding);
  const tenure_scalar around = value.to(operation, a.dtype());
  require_copy_support(operation, a.dtype());
  require_fill_support(operation, a.dtype());
  OperandList operands(1);
  operands.add_input(StateAccess::state(a), a.layout().extents());
  operands.require_mappable(operation);
  auto output = make_output(operation, a.dtype(), span_of(extents));
  pad_around(operation, StateAccess::state(a), padding, around, StateAccess::state(output).view());
  // The slabs and the inner box are all of the output.
  return std::move(output).assume_written();
}

void Engine::pad_into(const TensorRead& a, std::span<const Padding> padding, const Scalar& value,
                      const TensorWrite& out) const {
  constexpr const char* operation = "pad_into";
  live(operation);
  const Extents extents = padded_extents(operation, a.layout(), padding);
  const tenure_scalar around = value.to(operation, a.dtype());
  const ViewState& target = StateAccess::state(out);
  require_copy_support(operation, a.dtype());
  require_fill_support(operation, a.dtype());
  require_target(operation, a.dtype(), extents, target);
  require_disjoint(operation, target, StateAccess::state(a), output_and_input(0, 0));
  pad_around(operation, StateAccess::state(a), padding, around, target);
}

Tensor Engine::reverse_tensor(const TensorRead& a, const AxisSet& axes) const {
  constexpr const char* operation = "reverse";
  live(operation);
  const ViewState& source = StateAccess::state(a);
  const ViewState backwards = part_of(source, reversed(operation, a.layout(), axes));
  require_copy_support(operation, a.dtype());
  OperandList operands(1);
  operands.add_input(source, a.layout().extents());
  operands.require_mappable(operation);
  auto output = make_output(operation, a.dtype(), a.layout().extents());
  move_elements(operation, backwards, StateAccess::state(output).view());
  // A copy writes every index of its target.
  return std::move(output).assume_written();
}

void Engine::reverse_into(const TensorRead& a, const TensorWrite& out, const AxisSet& axes) const {
  constexpr const char* operation = "reverse_into";
  live(operation);
  const ViewState backwards = part_of(StateAccess::state(a), reversed(operation, a.layout(), axes));
  const ViewState& target = StateAccess::state(out);
  require_copy_support(operation, a.dtype());
  require_destination_dtype(operation, a.dtype(), target.dtype());
  require_extents(operation, a.layout().extents(), target.layout());
  require_disjoint(operation, target, StateAccess::state(a), output_and_input(0, 0));
  move_elements(operation, backwards, target);
}

void Engine::place_on_diagonal(const char* operation, const ViewState& source,
                               const DiagonalOptions& diagonal, const ViewState& target) const {
  fill_elements(operation, zero_of(source.dtype()), target);
  move_elements(
      operation, source,
      part_of(target, target.layout().diagonal(diagonal.axis, diagonal.other_axis, diagonal.offset)));
}

Tensor Engine::embed_diagonal_tensor(const TensorRead& a, const DiagonalOptions& diagonal) const {
  constexpr const char* operation = "embed_diagonal";
  live(operation);
  const Extents extents = embedded_extents(operation, a.layout(), diagonal);
  require_copy_support(operation, a.dtype());
  require_fill_support(operation, a.dtype());
  OperandList operands(1);
  operands.add_input(StateAccess::state(a), a.layout().extents());
  operands.require_mappable(operation);
  auto output = make_output(operation, a.dtype(), span_of(extents));
  place_on_diagonal(operation, StateAccess::state(a), diagonal, StateAccess::state(output).view());
  // A fill writes every index of its target.
  return std::move(output).assume_written();
}

void Engine::embed_diagonal_into(const TensorRead& a, const TensorWrite& out,
                                 const DiagonalOptions& diagonal) const {
  constexpr const char* operation = "embed_diagonal_into";
  live(operation);
  const Extents extents = embedded_extents(operation, a.layout(), diagonal);
  const ViewState& target = StateAccess::state(out);
  require_copy_support(operation, a.dtype());
  require_fill_support(operation, a.dtype());
  require_target(operation, a.dtype(), extents, target);
  require_disjoint(operation, target, StateAccess::state(a), output_and_input(0, 0));
  place_on_diagonal(operation, StateAccess::state(a), diagonal, target);
}

}  // namespace tenure::inline TENURE_BUILD
