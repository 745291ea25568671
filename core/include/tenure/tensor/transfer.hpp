// SPDX-License-Identifier: Apache-2.0
// transfer: named copies from one place to another.
#pragma once

#include "tenure/memory/allocation_domain.hpp"
#include "tenure/tensor/element_copy.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/tensor.hpp"
#include "tenure/tensor/typed_tensor.hpp"

namespace tenure::inline TENURE_BUILD {

// The elements of `view` in new storage of `domain`, compact: a Tensor, or a TypedTensor for a typed view.
// How elements are copied, and what that throws, is said at element_copy.hpp.
template <ReadableView V>
typename ViewTraits<V>::Owner upload(const V& view, const AllocationDomain& domain) {
  return StateAccess::make<typename ViewTraits<V>::Owner>(upload_elements(StateAccess::state(view), domain));
}

// The elements of `view` in the core's host memory, compact: a Tensor, or a HostTensor for a typed view.
template <ReadableView V>
typename ViewTraits<V>::HostOwner download(const V& view) {
  return StateAccess::make<typename ViewTraits<V>::HostOwner>(download_elements(StateAccess::state(view)));
}

// Writes each element of `source` to the same index of `target`. Equal extents and element types; any
// layouts. Throws ShapeMismatch, DTypeMismatch; DisjointError when the two share memory, and then nothing was
// written.
template <ReadableView Source, WritableView Target>
void copy_into(const Source& source, const Target& target) {
  copy_elements_into(StateAccess::state(source), StateAccess::state(target));
}

}  // namespace tenure::inline TENURE_BUILD
