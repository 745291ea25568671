// SPDX-License-Identifier: Apache-2.0
// What owners refuse. Each section is refused in the words that its first line expects.
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

using namespace tenure;

namespace copy_owner {
HostTensor<double, 2> moved(HostTensor<double, 2>&& tensor) { return std::move(tensor); }
#ifdef REFUSE_copy_owner  // expect: delete
HostTensor<double, 2> copy(const HostTensor<double, 2>& tensor) { return tensor; }
#endif
}  // namespace copy_owner

namespace copy_erased_owner {
Tensor moved(Tensor&& tensor) { return std::move(tensor); }
#ifdef REFUSE_copy_erased_owner  // expect: delete
Tensor copy(const Tensor& tensor) { return tensor; }
#endif
}  // namespace copy_erased_owner

namespace assign_copy_of_owner {
void assign(Tensor& target, Tensor&& source) { target = std::move(source); }
#ifdef REFUSE_assign_copy_of_owner  // expect: delete
void assign_copy(Tensor& target, const Tensor& source) { target = source; }
#endif
}  // namespace assign_copy_of_owner

namespace copy_storage {
Storage moved(Storage&& storage) { return std::move(storage); }
#ifdef REFUSE_copy_storage  // expect: delete
Storage copy(const Storage& storage) { return storage; }
#endif
}  // namespace copy_storage

namespace view_of_temporary {
auto rank(const HostTensor<double, 2>& tensor) { return tensor.as_view().rank(); }
#ifdef REFUSE_view_of_temporary  // expect: delete
auto rank_of_temporary() { return HostTensor<double, 2>::zeros({2, 2}).as_view().rank(); }
#endif
}  // namespace view_of_temporary

namespace mutable_view_of_temporary {
auto rank(Tensor& tensor) { return tensor.as_view_mut().rank(); }
#ifdef REFUSE_mutable_view_of_temporary  // expect: delete
auto rank_of_temporary(Tensor&& tensor) { return std::move(tensor).as_view_mut().rank(); }
#endif
}  // namespace mutable_view_of_temporary

namespace mutable_view_of_const_owner {
auto rank(HostTensor<double, 2>& tensor) { return tensor.as_view_mut().rank(); }
#ifdef REFUSE_mutable_view_of_const_owner  // expect: no matching (member )?function
auto rank_of_const(const HostTensor<double, 2>& tensor) { return tensor.as_view_mut().rank(); }
#endif
}  // namespace mutable_view_of_const_owner

namespace mutable_map_of_const_owner {
auto map(HostTensor<double, 2>& tensor) { return tensor.map_write(); }
#ifdef REFUSE_mutable_map_of_const_owner  // expect: no matching (member )?function|use of deleted
auto map_const(const HostTensor<double, 2>& tensor) { return tensor.map_write(); }
#endif
}  // namespace mutable_map_of_const_owner

namespace mutable_span_of_const_owner {
auto span(HostTensor<double, 2>& tensor) { return tensor.host_data_mut(); }
#ifdef REFUSE_mutable_span_of_const_owner  // expect: discards qualifiers|not viable|use of deleted|call to
                                           // deleted
auto span_of_const(const HostTensor<double, 2>& tensor) { return tensor.host_data_mut(); }
#endif
}  // namespace mutable_span_of_const_owner

namespace write_element_of_const_owner {
void write(HostTensor<double, 2>& tensor) { tensor(0, 0) = 1.0; }
#ifdef REFUSE_write_element_of_const_owner  // expect: read-only|cannot assign
void write_const(const HostTensor<double, 2>& tensor) { tensor(0, 0) = 1.0; }
#endif
}  // namespace write_element_of_const_owner

namespace span_of_temporary {
double first(const HostTensor<double, 1>& tensor) { return tensor.host_data()[0]; }
#ifdef REFUSE_span_of_temporary  // expect: delete
double first_of_temporary() { return HostTensor<double, 1>::zeros({2}).host_data()[0]; }
#endif
}  // namespace span_of_temporary

namespace pointer_of_temporary {
const double* first(const HostTensor<double, 1>& tensor) { return tensor.get({0}); }
#ifdef REFUSE_pointer_of_temporary  // expect: delete
const double* first_of_temporary() { return HostTensor<double, 1>::zeros({2}).get({0}); }
#endif
}  // namespace pointer_of_temporary

namespace mutable_pointer_of_temporary {
double* first(HostTensor<double, 1>& tensor) { return tensor.get_mut({0}); }
#ifdef REFUSE_mutable_pointer_of_temporary  // expect: delete
double* first_of_temporary() { return HostTensor<double, 1>::zeros({2}).get_mut({0}); }
#endif
}  // namespace mutable_pointer_of_temporary

namespace map_of_temporary {
double first(const HostTensor<double, 1>& tensor) { return tensor.map_read().view()(0); }
#ifdef REFUSE_map_of_temporary  // expect: delete
double first_of_temporary() { return HostTensor<double, 1>::zeros({2}).map_read().view()(0); }
#endif
}  // namespace map_of_temporary

namespace owner_as_view {
double first_of(const TypedTensorView<double, 2>& view) { return view(0, 0); }
double pass(const HostTensor<double, 2>& tensor) { return first_of(tensor.as_view()); }
#ifdef REFUSE_owner_as_view  // expect: invalid initialization|no matching function
double pass_implicitly(const HostTensor<double, 2>& tensor) { return first_of(tensor); }
#endif
}  // namespace owner_as_view

namespace consume_lvalue {
auto take(HostTensor<double, 1>& tensor) { return std::move(tensor).into_vec_col_major(); }
#ifdef REFUSE_consume_lvalue  // expect: rvalue|discards qualifiers|not viable
auto take_silently(HostTensor<double, 1>& tensor) { return tensor.into_vec_col_major(); }
#endif
}  // namespace consume_lvalue

namespace consume_const_owner {
auto take(HostTensor<double, 1>&& tensor) { return std::move(tensor).into_dynamic(); }
#ifdef REFUSE_consume_const_owner  // expect: discards qualifiers|not marked const
auto take_const(const HostTensor<double, 1>& tensor) { return std::move(tensor).into_dynamic(); }
#endif
}  // namespace consume_const_owner

namespace other_static_rank {
HostTensor<double, 2> take(HostTensor<double, 3>&& tensor) { return std::move(tensor).into_rank<2>(); }
#ifdef REFUSE_other_static_rank  // expect: conver
HostTensor<double, 2> take_silently(HostTensor<double, 3>&& tensor) { return std::move(tensor); }
#endif
}  // namespace other_static_rank

namespace unfinished_as_tensor {
Tensor finish(UninitializedTensor&& tensor) { return std::move(tensor).assume_written(); }
#ifdef REFUSE_unfinished_as_tensor  // expect: conver
Tensor finish_silently(UninitializedTensor&& tensor) { return std::move(tensor); }
#endif
}  // namespace unfinished_as_tensor

namespace unknown_element_type {
TypedTensor<double, 1> known(TypedTensor<double, 1>&& tensor) { return std::move(tensor); }
#ifdef REFUSE_unknown_element_type  // expect: this type is none of them
auto unknown(std::vector<char>&& values) {
  return TypedTensor<char, 1>::from_vec_col_major({2}, std::move(values));
}
#endif
}  // namespace unknown_element_type
