// SPDX-License-Identifier: Apache-2.0
// Elements by their indices along one axis: gather takes them, scatter puts them.
#include <algorithm>
#include <array>

#include "execution/broadcast.hpp"
#include "execution/dtype_rule.hpp"
#include "execution/operand_list.hpp"
#include "layout/extents.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

void require_index_dtype(const char* operation, const TensorRead& indices) {
  require_equal_dtypes(operation, i64, indices.dtype());
}

Extents extents_of(const Layout& layout) { return {layout.extents().begin(), layout.extents().end()}; }

// The extents with another one on an axis.
Extents with_extent(const Extents& extents, std::int64_t axis, std::int64_t extent) {
  Extents changed(extents);
  changed[static_cast<std::size_t>(axis)] = extent;
  return changed;
}

tenure_axis_attributes attributes_of(std::int64_t axis) noexcept {
  auto attributes = abi::make_struct<tenure_axis_attributes>();
  attributes.axis = static_cast<std::uint32_t>(axis);
  return attributes;
}

}  // namespace

// A validated gather: source and indices have the result's extents, apart from the source's on the axis.
class Engine::GatherCall {
 public:
  GatherCall(const char* operation, const TensorRead& a, const TensorRead& indices, std::int64_t axis)
      : operation_(operation),
        source_(StateAccess::state(a)),
        indices_(StateAccess::state(indices)),
        axis_(axis_from_front(operation, axis, a.layout().rank())),
        extents_(with_extent(extents_of(a.layout()), axis_, 1)) {
    require_index_dtype(operation, indices);
    broadcast_with(operation, extents_, indices.layout());
  }

  DType dtype() const noexcept { return source_.dtype(); }
  const Extents& extents() const noexcept { return extents_; }
  void require_destination(const ViewState& target) const {
    require_destination_dtype(operation_, dtype(), target.dtype());
    require_extents(operation_, span_of(extents_), target.layout());
    require_disjoint(operation_, target, source_, output_and_input(0, 0));
    require_disjoint(operation_, target, indices_, output_and_input(0, 1));
  }
  void require_possible(const Engine& engine) const {
    engine.require_support(operation_, TENURE_OP_GATHER, 0, std::array{dtype(), i64, dtype()});
  }
  void add_inputs(OperandList& operands) const {
    operands.add_input(source_, span_of(with_extent(extents_, axis_, source_.layout().extent(axis_))));
    operands.add_input(indices_, span_of(extents_));
  }
  void run(const Engine& engine, OperandList& operands, const ViewState& target) const {
    if (target.layout().is_empty()) return;
    const tenure_axis_attributes attributes = attributes_of(axis_);
    operands.add_output(target);
    engine.execute(operation_, TENURE_OP_GATHER, operands, &attributes);
  }

 private:
  const char* operation_;
  const ViewState& source_;
  const ViewState& indices_;
  std::int64_t axis_;
  Extents extents_;
};

Tensor Engine::gather_tensor(const TensorRead& a, const TensorRead& indices, std::int64_t axis) const {
  constexpr const char* operation = "gather";
  live(operation);
  const GatherCall call(operation, a, indices, axis);
  call.require_possible(*this);
  OperandList operands(3);
  call.add_inputs(operands);
  operands.require_mappable(operation);
  auto output = make_output(operation, call.dtype(), span_of(call.extents()));
  call.run(*this, operands, StateAccess::state(output).view());
  // There is an index for each index of the output.
  return std::move(output).assume_written();
}

void Engine::gather_into(const TensorRead& a, const TensorRead& indices, std::int64_t axis,
                         const TensorWrite& out) const {
  constexpr const char* operation = "gather_into";
  live(operation);
  const GatherCall call(operation, a, indices, axis);
  call.require_possible(*this);
  call.require_destination(StateAccess::state(out));
  OperandList operands(3);
  call.add_inputs(operands);
  call.run(*this, operands, StateAccess::state(out));
}

// A validated scatter into something of the given layout: indices and updates have its extents, apart from
// those on the axis.
class Engine::ScatterCall {
 public:
  ScatterCall(const char* operation, const Layout& target, const TensorRead& indices,
              const TensorRead& updates, std::int64_t axis)
      : operation_(operation),
        indices_(StateAccess::state(indices)),
        updates_(StateAccess::state(updates)),
        axis_(axis_from_front(operation, axis, target.rank())),
        extents_(with_extent(extents_of(target), axis_, 1)) {
    require_index_dtype(operation, indices);
    Extents wanted = extents_;
    broadcast_with(operation, extents_, indices.layout());
    broadcast_with(operation, extents_, updates.layout());
    wanted[static_cast<std::size_t>(axis_)] = extents_[static_cast<std::size_t>(axis_)];
    if (wanted != extents_) {
      throw ValidationError(operation, ShapeMismatch{{wanted.begin(), wanted.end()},
                                                     {extents_.begin(), extents_.end()},
                                                     ShapeRule::broadcast});
    }
  }

  void require_possible(const Engine& engine, DType dtype) const {
    require_equal_dtypes(operation_, dtype, updates_.dtype());
    engine.require_support(operation_, TENURE_OP_SCATTER, 0, std::array{i64, dtype, dtype});
  }
  void add_inputs(OperandList& operands) const {
    operands.add_input(indices_, span_of(extents_));
    operands.add_input(updates_, span_of(extents_));
  }
  void require_disjoint_from(const ViewState& target) const {
    require_disjoint(operation_, target, indices_, output_and_input(0, 0));
    require_disjoint(operation_, target, updates_, output_and_input(0, 1));
  }
  void run(const Engine& engine, OperandList& operands, const ViewState& target) const {
    if (std::ranges::find(extents_, 0) != extents_.end()) return;
    const tenure_axis_attributes attributes = attributes_of(axis_);
    operands.add_output(target);
    engine.execute(operation_, TENURE_OP_SCATTER, operands, &attributes);
  }

 private:
  const char* operation_;
  const ViewState& indices_;
  const ViewState& updates_;
  std::int64_t axis_;
  Extents extents_;
};

Tensor Engine::scatter_tensor(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                              std::int64_t axis) const {
  constexpr const char* operation = "scatter";
  live(operation);
  const ScatterCall call(operation, a.layout(), indices, updates, axis);
  call.require_possible(*this, a.dtype());
  require_copy_support(operation, a.dtype());
  OperandList operands(3);
  call.add_inputs(operands);
  operands.require_mappable(operation);
  const ViewState& source = StateAccess::state(a);
  auto output = make_output(operation, a.dtype(), a.layout().extents());
  const ViewState target = StateAccess::state(output).view();
  move_elements(operation, source, target);
  call.run(*this, operands, target);
  // The copy wrote every index.
  return std::move(output).assume_written();
}

void Engine::scatter_into(const TensorRead& indices, const TensorRead& updates, std::int64_t axis,
                          const TensorWrite& out) const {
  constexpr const char* operation = "scatter_into";
  live(operation);
  const ViewState& target = StateAccess::state(out);
  const ScatterCall call(operation, target.layout(), indices, updates, axis);
  call.require_possible(*this, target.dtype());
  call.require_disjoint_from(target);
  OperandList operands(3);
  call.add_inputs(operands);
  call.run(*this, operands, target);
}

}  // namespace tenure::inline TENURE_BUILD
