// SPDX-License-Identifier: Apache-2.0
// The engine's named copies: copy, cast, fill.
#include <array>

#include "execution/broadcast.hpp"
#include "execution/dtype_rule.hpp"
#include "execution/operand_list.hpp"
#include "memory/thread_ledger.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// A copy between equal element types is the family that moves bits; any other is a cast.
std::uint32_t family_of(DType source, DType target) noexcept {
  return source == target ? TENURE_OP_COPY : TENURE_OP_CAST;
}

void note_copy(const ViewState& target) noexcept {
  ++thread_ledger.copies;
  thread_ledger.bytes_copied +=
      static_cast<std::uint64_t>(target.layout().element_count()) * target.dtype().bytes();
}

}  // namespace

// Both directions of every copy and cast: validated, with the source in the list already.
void Engine::convert(const char* operation, OperandList& operands, const ViewState& source,
                     const ViewState& target) const {
  if (!target.layout().is_empty()) {
    operands.add_output(target);
    execute(operation, family_of(source.dtype(), target.dtype()), operands, nullptr);
  }
  note_copy(target);
}

Tensor Engine::converted(const char* operation, const TensorRead& source, DType dtype) const {
  live(operation);
  const ViewState& from = StateAccess::state(source);
  require_support(operation, family_of(from.dtype(), dtype), 0, std::array{from.dtype(), dtype});
  OperandList operands(2);
  operands.add_input(from, from.layout().extents());
  operands.require_mappable(operation);
  auto output = make_output(operation, dtype, from.layout().extents());
  convert(operation, operands, from, StateAccess::state(output).view());
  // A copy and a cast write every index of the target.
  return std::move(output).assume_written();
}

void Engine::convert_into(const char* operation, const TensorRead& source, const TensorWrite& target) const {
  live(operation);
  const ViewState& from = StateAccess::state(source);
  const ViewState& to = StateAccess::state(target);
  require_extents(operation, from.layout().extents(), to.layout());
  require_disjoint(operation, to, from, output_and_input(0, 0));
  require_support(operation, family_of(from.dtype(), to.dtype()), 0, std::array{from.dtype(), to.dtype()});
  OperandList operands(2);
  operands.add_input(from, from.layout().extents());
  convert(operation, operands, from, to);
}

Tensor Engine::copy_tensor(const TensorRead& source) const {
  return converted("copy", source, source.dtype());
}

void Engine::copy_into(const TensorRead& source, const TensorWrite& target) const {
  require_destination_dtype("copy_into", source.dtype(), target.dtype());
  convert_into("copy_into", source, target);
}

Tensor Engine::cast_tensor(const TensorRead& source, DType dtype) const {
  return converted("cast", source, dtype);
}

void Engine::cast_into(const TensorRead& source, const TensorWrite& target) const {
  convert_into("cast_into", source, target);
}

void Engine::fill_into(const Scalar& value, const TensorWrite& target) const {
  constexpr const char* operation = "fill_into";
  live(operation);
  const tenure_scalar element = value.to(operation, target.dtype());
  require_support(operation, TENURE_OP_FILL, 0, std::array{target.dtype()});
  fill_elements(operation, element, StateAccess::state(target));
}

}  // namespace tenure::inline TENURE_BUILD
