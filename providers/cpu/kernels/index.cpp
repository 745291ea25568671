// SPDX-License-Identifier: Apache-2.0
#include "element.hpp"
#include "item.hpp"
#include "kernel_table.hpp"

namespace tenure::cpu {
namespace {

// One line with the same index for all.
template <class Item>
void copy_line(const Item* in, std::int64_t in_stride, Item* out, std::int64_t out_stride,
               std::int64_t count) {
  if (in_stride == 1 && out_stride == 1) {
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) out[i] = in[i];
  } else {
    for (std::int64_t i = 0; i < count; ++i) out[i * out_stride] = in[i * in_stride];
  }
}

template <class Item>
void gather_kernel(const void* in, Plane in_plane, void* out, Plane out_plane, const std::int64_t* indices,
                   Plane index_plane, std::int64_t index_stride, std::int64_t n0, std::int64_t n1) {
  for (std::int64_t j = 0; j < n1; ++j) {
    const Item* const source = static_cast<const Item*>(in) + j * in_plane.stride1;
    Item* const target = static_cast<Item*>(out) + j * out_plane.stride1;
    const std::int64_t* const index = indices + j * index_plane.stride1;
    if (index_plane.stride0 == 0) {
      copy_line(source + *index * index_stride, in_plane.stride0, target, out_plane.stride0, n0);
      continue;
    }
    for (std::int64_t i = 0; i < n0; ++i) {
      target[i * out_plane.stride0] =
          source[i * in_plane.stride0 + index[i * index_plane.stride0] * index_stride];
    }
  }
}

template <class Item>
void scatter_kernel(const void* in, Plane in_plane, void* out, Plane out_plane, const std::int64_t* indices,
                    Plane index_plane, std::int64_t index_stride, std::int64_t n0, std::int64_t n1) {
  for (std::int64_t j = 0; j < n1; ++j) {
    const Item* const source = static_cast<const Item*>(in) + j * in_plane.stride1;
    Item* const target = static_cast<Item*>(out) + j * out_plane.stride1;
    const std::int64_t* const index = indices + j * index_plane.stride1;
    for (std::int64_t i = 0; i < n0; ++i) {
      target[i * out_plane.stride0 + index[i * index_plane.stride0] * index_stride] =
          source[i * in_plane.stride0];
    }
  }
}

}  // namespace

constinit const IndexTable TENURE_CPU_ISA::index_table{
    {gather_kernel<ItemOfSize<1>>, gather_kernel<ItemOfSize<2>>, gather_kernel<ItemOfSize<4>>,
     gather_kernel<ItemOfSize<8>>, gather_kernel<ItemOfSize<16>>},
    {scatter_kernel<ItemOfSize<1>>, scatter_kernel<ItemOfSize<2>>, scatter_kernel<ItemOfSize<4>>,
     scatter_kernel<ItemOfSize<8>>, scatter_kernel<ItemOfSize<16>>},
};

}  // namespace tenure::cpu
