// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/reinterpretation.hpp"

#include "tensor/alignment.hpp"
#include "tensor/complex_parts.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/reinterpretation.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// A compact layout at offset 0 stays one in every reading, so its extents say all.
template <class Reading>
void read_as(const char* operation, OwnerState& state, DType dtype, Reading reading) {
  try {
    const Layout layout = reading(state.layout());
    OwnerShape shape(operation, dtype, layout.extents());
    if (!layout.is_empty()) {
      require_aligned(operation, state.storage().address(), state.storage().record(), dtype);
    }
    state.require_unborrowed(operation);
    state.read_as(std::move(shape));
  } catch (const ValidationError& error) {
    throw error.with_operation(operation);
  }
}

}  // namespace

void read_as_real(OwnerState& state) {
  constexpr const char* operation = "into_real";
  const DType dtype = part_dtype(operation, state.live(operation).dtype());
  read_as(operation, state, dtype, [](const Layout& layout) { return layout.as_real(); });
}

void read_as_complex(OwnerState& state) {
  constexpr const char* operation = "into_complex";
  const DType dtype = complex_dtype(operation, state.live(operation).dtype());
  read_as(operation, state, dtype, [](const Layout& layout) { return layout.as_complex(); });
}

void read_as_bits(OwnerState& state, DType dtype) {
  constexpr const char* operation = "into_bits";
  const DType from = state.live(operation).dtype();
  read_as(operation, state, dtype,
          [&](const Layout& layout) { return bit_cast_layout(layout, from, dtype); });
}

}  // namespace tenure::inline TENURE_BUILD
