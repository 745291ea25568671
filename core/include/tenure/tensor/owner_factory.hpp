// SPDX-License-Identifier: Apache-2.0
// owner_factory: owners from vectors of a type, and vectors from owners.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "tenure/memory/buffer_allocator.hpp"
#include "tenure/tensor/element_copy.hpp"
#include "tenure/tensor/owner_state.hpp"

namespace tenure::inline TENURE_BUILD {

// What Tensor, TypedTensor and HostTensor share: each wraps the state in its own type. `rank` is the static
// rank, negative for none.
template <class T>
struct OwnerFactory {
  static constexpr DType dtype = dtype_of<T>();

  static OwnerState adopt(AxisValues extents, int rank, std::vector<T>&& values) {
    OwnerShape shape("from_vec_col_major", dtype, extents, rank);
    shape.require_count("from_vec_col_major", values.size());
    return {std::move(shape), Storage::adopt(std::move(values))};
  }
  static OwnerState import(AxisValues extents, int rank, std::span<const T> values) {
    OwnerShape shape("from_vec_row_major", dtype, extents, rank);
    shape.require_count("from_vec_row_major", values.size());
    return import_row_major("from_vec_row_major", std::move(shape), values.data());
  }
  static OwnerState filled(AxisValues extents, int rank, T value) {
    OwnerShape shape("filled", dtype, extents, rank);
    const auto count = shape.element_count;
    OwnerState state = OwnerState::on_host("filled", std::move(shape));
    std::fill_n(reinterpret_cast<T*>(state.storage().address()), count, value);
    return state;
  }
  // The vector that the bytes came as; `state` is empty afterwards.
  static std::vector<T> into_vec(OwnerState& state) {
    static_assert(!std::is_same_v<T, bool>,
                  "std::vector<bool> packs its elements into bits; read boolean elements with host_data().");
    if (!state.live("into_vec_col_major").storage().template holds_vector_of<T>()) {
      state.throw_not_vector("into_vec_col_major", dtype);
    }
    OwnerState taken = std::move(state);
    return taken.storage().template take_vector<T>();
  }
  // The bytes under an allocator that gives them back; `state` is empty afterwards.
  static BufferVector<T> into_buffer(OwnerState& state) {
    state.require_extractable("into_buffer_vector");
    auto adoption = std::make_shared<BufferAdoption>();
    OwnerState taken = std::move(state);
    return adopt_buffer<T>(std::move(adoption), std::move(taken.storage()));
  }
};

}  // namespace tenure::inline TENURE_BUILD
