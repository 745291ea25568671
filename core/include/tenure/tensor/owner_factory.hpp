// SPDX-License-Identifier: Apache-2.0
// owner_factory: owners from vectors of a type, and vectors from owners.
#pragma once

#include <algorithm>
#include <exception>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenure/base/out_of_memory.hpp"
#include "tenure/layout/axis_values.hpp"
#include "tenure/layout/layout.hpp"
#include "tenure/memory/borrow.hpp"
#include "tenure/memory/buffer_allocator.hpp"
#include "tenure/tensor/element_copy.hpp"
#include "tenure/tensor/owner_state.hpp"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// What Tensor, TypedTensor and HostTensor share: each wraps the state in its own type. `rank` is the static
// rank, negative for none.
template <class T>
struct OwnerFactory {
  static constexpr DType dtype = dtype_of<T>();

  static OwnerState adopt(AxisValues extents, int rank, std::vector<T>&& values, BorrowPlace place) {
    constexpr const char* operation = "from_vec_col_major";
    OwnerShape shape(operation, dtype, extents, place, rank);
    shape.require_count(operation, values.size());
    return {std::move(shape), [&]() noexcept { return Storage::adopt(std::move(values)); }};
  }
  static OwnerState import(AxisValues extents, int rank, std::span<const T> values, BorrowPlace place) {
    constexpr const char* operation = "from_vec_row_major";
    OwnerShape shape(operation, dtype, extents, place, rank);
    shape.require_count(operation, values.size());
    return import_row_major(operation, std::move(shape), values.data());
  }
  static OwnerState filled(AxisValues extents, int rank, T value, BorrowPlace place) {
    OwnerShape shape("filled", dtype, extents, place, rank);
    const auto count = shape.element_count;
    OwnerState state = OwnerState::on_host("filled", std::move(shape));
    std::fill_n(reinterpret_cast<T*>(state.storage().address()), count, value);
    return state;
  }
  // A named copy of all elements in that order.
  static std::vector<T> to_vec(const char* operation, const ViewState& source, Layout (*order)(AxisValues)) {
    static_assert(!std::is_same_v<T, bool>,
                  "std::vector<bool> packs its elements into bits; read boolean elements with host_data().");
    const Layout target = order(source.live(operation).layout().extents());
    std::vector<T> values = room_for(operation, target);
    export_elements(operation, source, values.data(), target);
    return values;
  }
  // The same of an owner, which must have these elements.
  static std::vector<T> to_vec(const char* operation, const OwnerState& source, Layout (*order)(AxisValues),
                               BorrowPlace place) {
    source.require_type(operation, dtype, dynamic_rank);
    return to_vec(operation, source.lend(BorrowKind::shared, operation, place), order);
  }
  // Throws OutOfMemory, IntegerOverflow.
  static std::vector<T> room_for(const char* operation, const Layout& layout) {
    const std::size_t bytes = layout.required_bytes(sizeof(T));
    try {
      return std::vector<T>(static_cast<std::size_t>(layout.element_count()));
    } catch (const std::exception&) {
      // A vector of sound length has one thing that can fail: memory, refused by its limit or by the system.
      throw OutOfMemory(operation, bytes, "host");
    }
  }
  // The vector that the bytes came as; `state` is empty afterwards.
  static std::vector<T> into_vec(OwnerState& state) {
    static_assert(!std::is_same_v<T, bool>,
                  "std::vector<bool> packs its elements into bits; read boolean elements with host_data().");
    if (!state.live("into_vec_col_major").storage().template holds_vector_of<T>()) {
      state.throw_not_vector("into_vec_col_major", dtype);
    }
    return state.consume_vector<T>("into_vec_col_major");
  }
  // The bytes under an allocator that gives them back; `state` is empty afterwards.
  static BufferVector<T> into_buffer(OwnerState& state) {
    state.require_extractable("into_buffer_vector");
    auto adoption = std::make_shared<BufferAdoption>();
    OwnerState taken = state.consume("into_buffer_vector");
    return adopt_buffer<T>(std::move(adoption), std::move(taken.storage()));
  }
};

}  // namespace tenure::inline TENURE_BUILD
