// SPDX-License-Identifier: Apache-2.0
// xtensor: its views and its lazy arithmetic, on one thread.
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xtensor_config.hpp>
#include <xtensor/xview.hpp>

#include "../peer.hpp"

namespace tenure::bench {

namespace {

template <class T>
auto adapted(const Array& array) {
  const auto count = static_cast<std::size_t>(array.count());
  return xt::adapt(static_cast<T*>(array.data), count, xt::no_ownership(), std::array<std::size_t, 1>{count});
}

template <class T>
Work add(const ElementwiseJob& job) {
  return repeat([a = adapted<T>(job.inputs[0]), b = adapted<T>(job.inputs[1]),
                 out = adapted<T>(job.out)]() mutable { xt::noalias(out) = a + b; });
}

// A view of an array of the last axis fastest, as everywhere in this library.
Work view_of(const ViewJob& job) {
  std::vector<std::size_t> shape(job.array.extents.rbegin(), job.array.extents.rend());
  auto array = std::make_shared<xt::xarray<double>>(xt::xarray<double>::from_shape(shape));
  switch (job.kind) {
    case ViewKind::transpose:
      return repeat([array] {
        auto view = xt::transpose(*array);
        do_not_optimize(view.strides().data());
      });
    case ViewKind::permute: {
      std::vector<std::size_t> axes(shape.size());
      for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis] = (axis + 1) % axes.size();
      return repeat([array, axes] {
        auto view = xt::transpose(*array, axes);
        do_not_optimize(view.strides().data());
      });
    }
    case ViewKind::slice:
      return repeat([array, slices = xt::xstrided_slice_vector{xt::ellipsis(), xt::range(1, 7, 2)}] {
        auto view = xt::strided_view(*array, slices);
        do_not_optimize(view.strides().data());
      });
    case ViewKind::reshape:
      return repeat([array, size = array->size()] {
        auto view = xt::reshape_view(*array, std::vector<std::size_t>{size});
        do_not_optimize(view.strides().data());
      });
    default:
      return {};
  }
}

class XtensorPeer final : public Peer {
 public:
  std::string name() const override { return "xtensor"; }
  std::string description() const override {
    return std::to_string(XTENSOR_VERSION_MAJOR) + "." + std::to_string(XTENSOR_VERSION_MINOR) + "." +
           std::to_string(XTENSOR_VERSION_PATCH) + ", one thread";
  }
  Work elementwise(const ElementwiseJob& job) const override {
    if (job.operation != Operation::add || job.is_allocating) return {};
    return job.out.element == Element::f32 ? add<float>(job) : add<double>(job);
  }
  Work view(const ViewJob& job) const override { return view_of(job); }
};

}  // namespace

std::unique_ptr<Peer> make_xtensor_peer() { return std::make_unique<XtensorPeer>(); }

}  // namespace tenure::bench
