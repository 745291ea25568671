// SPDX-License-Identifier: Apache-2.0
// What views refuse. Each section is refused in the words that its first line expects.
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

using namespace tenure;

namespace copy_mutable_view {
TypedTensorViewMut<double, 2> child(const TypedTensorViewMut<double, 2>& view) { return view.reborrow(); }
#ifdef REFUSE_copy_mutable_view  // expect: delete
TypedTensorViewMut<double, 2> copy(const TypedTensorViewMut<double, 2>& view) { return view; }
#endif
}  // namespace copy_mutable_view

namespace copy_erased_mutable_view {
TensorViewMut moved(TensorViewMut&& view) { return std::move(view); }
#ifdef REFUSE_copy_erased_mutable_view  // expect: delete
TensorViewMut copy(const TensorViewMut& view) { return view; }
#endif
}  // namespace copy_erased_mutable_view

namespace assign_copy_of_mutable_view {
void assign(TensorViewMut& target, const TensorViewMut& source) { target = source.reborrow(); }
#ifdef REFUSE_assign_copy_of_mutable_view  // expect: delete
void assign_copy(TensorViewMut& target, const TensorViewMut& source) { target = source; }
#endif
}  // namespace assign_copy_of_mutable_view

namespace copy_write_guard {
HostWriteGuard<TensorViewMut> moved(HostWriteGuard<TensorViewMut>&& guard) { return std::move(guard); }
#ifdef REFUSE_copy_write_guard  // expect: delete
HostWriteGuard<TensorViewMut> copy(const HostWriteGuard<TensorViewMut>& guard) { return guard; }
#endif
}  // namespace copy_write_guard

namespace read_view_as_mutable {
void clear(const TypedTensorViewMut<double, 2>& view) { view(0, 0) = 1.0; }
void pass(const TypedTensorViewMut<double, 2>& view) { clear(view); }
#ifdef REFUSE_read_view_as_mutable  // expect: invalid initialization|no matching function
void pass_read(const TypedTensorView<double, 2>& view) { clear(view); }
#endif
}  // namespace read_view_as_mutable

namespace mutable_view_as_read {
double first_of(const TypedTensorView<double, 2>& view) { return view(0, 0); }
double pass(const TypedTensorViewMut<double, 2>& view) { return first_of(view.as_read()); }
#ifdef REFUSE_mutable_view_as_read  // expect: invalid initialization|no matching function
double pass_implicitly(const TypedTensorViewMut<double, 2>& view) { return first_of(view); }
#endif
}  // namespace mutable_view_as_read

namespace read_view_made_mutable {
TensorViewMut child(const TensorViewMut& view) { return view.reborrow(); }
#ifdef REFUSE_read_view_made_mutable  // expect: conver
TensorViewMut made(const TensorView& view) { return view; }
#endif
}  // namespace read_view_made_mutable

namespace reborrow_read_view {
auto child(const TensorViewMut& view) { return view.reborrow(); }
#ifdef REFUSE_reborrow_read_view  // expect: no member named
auto child_of_reader(const TensorView& view) { return view.reborrow(); }
#endif
}  // namespace reborrow_read_view

namespace write_through_read_view {
double first_of(const TypedTensorView<double, 1>& view) { return view(0); }
#ifdef REFUSE_write_through_read_view  // expect: read-only|cannot assign
void clear(const TypedTensorView<double, 1>& view) { view(0) = 1.0; }
#endif
}  // namespace write_through_read_view

namespace broadcast_mutable_view {
auto broadcast(const TypedTensorView<double, 1>& view) { return view.broadcast_to({3}).rank(); }
#ifdef REFUSE_broadcast_mutable_view  // expect: constraint|no matching
auto broadcast_mutable(const TypedTensorViewMut<double, 1>& view) { return view.broadcast_to({3}).rank(); }
#endif
}  // namespace broadcast_mutable_view

namespace real_parts_of_reals {
auto parts(const TypedTensorView<std::complex<double>, 1>& view) { return view.as_real(); }
#ifdef REFUSE_real_parts_of_reals  // expect: constraint|no matching
auto parts_of_reals(const TypedTensorView<double, 1>& view) { return view.as_real(); }
#endif
}  // namespace real_parts_of_reals

namespace other_index_count {
double at(const HostTensor<double, 2>& tensor) { return tensor(0, 0); }
double at_any(const HostTensor<double>& tensor) { return tensor(0); }
#ifdef REFUSE_other_index_count  // expect: as many indices as the tensor has axes
double at_one(const HostTensor<double, 2>& tensor) { return tensor(0); }
#endif
}  // namespace other_index_count
