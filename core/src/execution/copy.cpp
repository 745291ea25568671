// SPDX-License-Identifier: Apache-2.0
// The engine's named copies: copy, cast, fill.
#include <array>

#include "execution/broadcast.hpp"
#include "execution/dtype_rule.hpp"
#include "execution/operand_list.hpp"
#include "memory/thread_ledger.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/abi/struct_head.hpp"
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

void Engine::convert(const char* operation, const ViewState& source, const ViewState& target) const {
  const std::array dtypes{source.dtype(), target.dtype()};
  const std::uint32_t family = family_of(dtypes[0], dtypes[1]);
  require_support(operation, family, 0, dtypes);
  if (!target.layout().is_empty()) {
    OperandList operands(2);
    operands.add_input(source, source.layout().extents());
    operands.add_output(target);
    execute(operation, family, operands, nullptr);
  }
  note_copy(target);
}

Tensor Engine::converted(const char* operation, const TensorRead& source, DType dtype) const {
  live(operation);
  auto output = UninitializedTensor::in(pool_, dtype, source.layout().extents());
  convert(operation, StateAccess::state(source), StateAccess::state(output).view());
  // A copy and a cast write every index of the target.
  return std::move(output).assume_written();
}

void Engine::convert_into(const char* operation, const TensorRead& source, const TensorWrite& target) const {
  live(operation);
  require_extents(operation, source.layout().extents(), target.layout());
  require_disjoint(operation, StateAccess::state(target), StateAccess::state(source));
  convert(operation, StateAccess::state(source), StateAccess::state(target));
}

Tensor Engine::copy_tensor(const TensorRead& source) const {
  return converted("Engine::copy", source, source.dtype());
}

void Engine::copy_into(const TensorRead& source, const TensorWrite& target) const {
  require_equal_dtypes("Engine::copy_into", target.dtype(), source.dtype());
  convert_into("Engine::copy_into", source, target);
}

Tensor Engine::cast_tensor(const TensorRead& source, DType dtype) const {
  return converted("Engine::cast", source, dtype);
}

void Engine::cast_into(const TensorRead& source, const TensorWrite& target) const {
  convert_into("Engine::cast_into", source, target);
}

void Engine::fill_into(const Scalar& value, const TensorWrite& target) const {
  constexpr const char* operation = "Engine::fill_into";
  live(operation);
  auto attributes = abi::make_struct<tenure_fill_attributes>();
  attributes.value = value.to(operation, target.dtype());
  require_support(operation, TENURE_OP_FILL, 0, std::array{target.dtype()});
  if (target.layout().is_empty()) return;
  OperandList operands(1);
  operands.add_output(StateAccess::state(target));
  execute(operation, TENURE_OP_FILL, operands, &attributes);
}

}  // namespace tenure::inline TENURE_BUILD
