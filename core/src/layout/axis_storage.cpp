// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/axis_storage.hpp"

#include <memory>

namespace tenure::inline TENURE_BUILD {

template <std::int64_t array_count>
void AxisStorage<array_count>::make_vector() {
  std::construct_at(&vector_, static_cast<std::size_t>(array_count * rank_), boost::container::default_init);
}

template <std::int64_t array_count>
void AxisStorage<array_count>::copy_vector(const AxisStorage& other) {
  std::construct_at(&vector_, other.vector_);
}

template <std::int64_t array_count>
void AxisStorage<array_count>::take_vector(AxisStorage& other) noexcept {
  std::construct_at(&vector_, std::move(other.vector_));
  other.end_vector();
}

template <std::int64_t array_count>
void AxisStorage<array_count>::end_vector() noexcept {
  std::destroy_at(&vector_);
}

template class AxisStorage<1>;
template class AxisStorage<2>;

}  // namespace tenure::inline TENURE_BUILD
