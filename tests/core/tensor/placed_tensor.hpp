// SPDX-License-Identifier: Apache-2.0
// placed_tensor: tensors with known elements in the domains of a FakeProvider.
#pragma once

#include <numeric>

#include "memory/allocation_record.hpp"
#include "support/fake_provider.hpp"
#include "tenure/memory/storage_map.hpp"
#include "tenure/tensor/typed_tensor.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure_test {

// 0, 1, 2 ... in column-major order, written behind the core's back, as a device would.
template <int Rank = tenure::dynamic_rank>
tenure::TypedTensor<double, Rank> counting_in(FakeProvider& provider, FakeProvider::Domain domain,
                                              tenure::AxisValues extents) {
  auto tensor = tenure::UninitializedTensor::in(provider.domain(domain), tenure::f64, extents);
  const tenure::OwnerState& state = tenure::StateAccess::state(tensor);
  std::byte* const bytes = state.storage().record() == nullptr
                               ? state.storage().address()
                               : provider.device_bytes(state.storage().record()->handle);
  auto* const elements = reinterpret_cast<double*>(bytes);
  std::iota(elements, elements + tensor.element_count(), 0.0);
  return std::move(tensor).assume_written().into_typed<double, Rank>();  // by iota
}

// A map that no borrow goes with, as a device holds one.
template <class Tensor>
tenure::StorageMap mapped(const Tensor& tensor, tenure::MapAccess access) {
  const tenure::Storage& storage = tenure::StateAccess::state(tensor).storage();
  return {"mapped", storage.address(), storage.record(), access};
}

}  // namespace tenure_test
