// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/multi_slice.hpp"

#include "tensor/disjoint.hpp"
#include "tenure/layout/injectivity.hpp"

namespace tenure::inline TENURE_BUILD {

std::vector<ViewState> disjoint_slices(const ViewState& source,
                                       std::span<const std::span<const Slice>> parts) {
  constexpr const char* operation = "try_multi_slice_mut";
  const Layout& whole = source.alone(operation).layout();
  std::vector<ViewState> states;
  states.reserve(parts.size());
  for (const std::span<const Slice> part : parts) {
    Layout layout = whole.slice(part);
    require_injective(layout, operation);
    states.push_back(states.empty() ? source.with_layout(std::move(layout))
                                    : states.front().beside(std::move(layout)));
  }
  require_disjoint(operation, states, DisjointError::Role::part);
  return states;
}

}  // namespace tenure::inline TENURE_BUILD
