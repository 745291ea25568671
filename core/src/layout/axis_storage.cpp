// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/axis_storage.hpp"

#include <memory>

namespace tenure::inline TENURE_BUILD {

void AxisStorage::make_vector() {
  std::construct_at(&vector_, static_cast<std::size_t>(2 * rank_), boost::container::default_init);
}

void AxisStorage::copy_vector(const AxisStorage& other) { std::construct_at(&vector_, other.vector_); }

void AxisStorage::take_vector(AxisStorage& other) noexcept {
  std::construct_at(&vector_, std::move(other.vector_));
  other.end_vector();
}

void AxisStorage::end_vector() noexcept { std::destroy_at(&vector_); }

}  // namespace tenure::inline TENURE_BUILD
