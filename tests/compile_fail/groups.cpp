// SPDX-License-Identifier: Apache-2.0
// What groups and reinterpretations refuse. Each section is refused in the words that its first line expects.
#include <complex>

#include "tenure/tensor/allocation_group.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

using namespace tenure;

namespace copy_group {
AllocationGroup moved(AllocationGroup&& group) { return std::move(group); }
#ifdef REFUSE_copy_group  // expect: delete
AllocationGroup copy(const AllocationGroup& group) { return group; }
#endif
}  // namespace copy_group

namespace view_of_temporary_group {
auto rank(const AllocationGroup& group, DescriptorSlot slot) { return group.read_view(slot).rank(); }
#ifdef REFUSE_view_of_temporary_group  // expect: delete
auto rank_of_temporary(AllocationGroup&& group, DescriptorSlot slot) {
  return std::move(group).read_view(slot).rank();
}
#endif
}  // namespace view_of_temporary_group

namespace split_of_temporary_group {
auto count(AllocationGroup& group, DescriptorSlot slot) { return group.split_mut({slot}).size(); }
#ifdef REFUSE_split_of_temporary_group  // expect: delete
auto count_of_temporary(AllocationGroup&& group, DescriptorSlot slot) {
  return std::move(group).split_mut({slot}).size();
}
#endif
}  // namespace split_of_temporary_group

namespace mutable_view_of_const_group {
auto rank(AllocationGroup& group, DescriptorSlot slot) { return group.view_mut(slot).rank(); }
#ifdef REFUSE_mutable_view_of_const_group  // expect: delete|discards qualifiers|not viable|no matching
auto rank_of_const(const AllocationGroup& group, DescriptorSlot slot) { return group.view_mut(slot).rank(); }
#endif
}  // namespace mutable_view_of_const_group

namespace group_of_lvalue {
auto enter(Tensor&& tensor) { return AllocationGroup::from_tensors(std::move(tensor)); }
#ifdef REFUSE_group_of_lvalue  // expect: pass std::move
auto enter_silently(Tensor& tensor) { return AllocationGroup::from_tensors(tensor); }
#endif
}  // namespace group_of_lvalue

namespace group_of_unfinished_tensor {
auto enter(AllocationGroup& group, Tensor&& tensor) { return group.append_tensor(std::move(tensor)); }
#ifdef REFUSE_group_of_unfinished_tensor  // expect: takes a Tensor, TypedTensor or HostTensor over
auto enter_unfinished(AllocationGroup& group, UninitializedTensor&& tensor) {
  return group.append_tensor(std::move(tensor));
}
#endif
}  // namespace group_of_unfinished_tensor

namespace demote_lvalue {
auto demote(AllocationGroup& group) { return std::move(group).demote<double>(); }
#ifdef REFUSE_demote_lvalue  // expect: rvalue|discards qualifiers|cannot convert|no matching member
auto demote_silently(AllocationGroup& group) { return group.demote<double>(); }
#endif
}  // namespace demote_lvalue

namespace multi_slice_of_read_view {
auto split(const TypedTensorViewMut<double, 1>& view) { return view.try_multi_slice_mut({{{}}}); }
#ifdef REFUSE_multi_slice_of_read_view  // expect: constraint|no matching
auto split_read(const TypedTensorView<double, 1>& view) { return view.try_multi_slice_mut({{{}}}); }
#endif
}  // namespace multi_slice_of_read_view

namespace bytes_as_bool {
auto bits(const TypedTensorView<bool, 1>& view) { return view.as_bits<std::uint8_t>(); }
#ifdef REFUSE_bytes_as_bool  // expect: A bool is 0 or 1, which other bytes need not be
auto flags(const TypedTensorView<std::uint8_t, 1>& view) { return view.as_bits<bool>(); }
#endif
}  // namespace bytes_as_bool

namespace bool_as_mutable_bytes {
auto bits(const TypedTensorViewMut<double, 1>& view) { return view.as_bits<std::uint8_t>(); }
#ifdef REFUSE_bool_as_mutable_bytes  // expect: its byte is not written
auto bits_of_flags(const TypedTensorViewMut<bool, 1>& view) { return view.as_bits<std::uint8_t>(); }
#endif
}  // namespace bool_as_mutable_bytes

namespace own_bytes_as_bool {
auto bits(HostTensor<bool, 1>&& tensor) { return std::move(tensor).into_bits<std::uint8_t>(); }
#ifdef REFUSE_own_bytes_as_bool  // expect: A bool is 0 or 1, which other bytes need not be
auto flags(HostTensor<std::uint8_t, 1>&& tensor) { return std::move(tensor).into_bits<bool>(); }
#endif
}  // namespace own_bytes_as_bool

namespace own_parts_of_reals {
auto parts(HostTensor<std::complex<float>, 1>&& tensor) { return std::move(tensor).into_real(); }
#ifdef REFUSE_own_parts_of_reals  // expect: constraint|no matching
auto parts_of_reals(HostTensor<float, 1>&& tensor) { return std::move(tensor).into_real(); }
#endif
}  // namespace own_parts_of_reals
