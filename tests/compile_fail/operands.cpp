// SPDX-License-Identifier: Apache-2.0
// What operands refuse. Each section is refused in the words that its first line expects.
#include "tenure/execution/engine.hpp"
#include "tenure/shared/shared_tensor.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;

namespace write_const_owner {
auto write(Tensor& tensor) { return TensorWrite(tensor).dtype(); }
#ifdef REFUSE_write_const_owner  // expect: delete
auto write_const(const Tensor& tensor) { return TensorWrite(tensor).dtype(); }
#endif
}  // namespace write_const_owner

namespace write_temporary_owner {
auto write(Tensor&& tensor) { return TensorWrite(tensor).dtype(); }
#ifdef REFUSE_write_temporary_owner  // expect: delete
auto write_temporary() { return TensorWrite(Tensor::zeros(f64, {2})).dtype(); }
#endif
}  // namespace write_temporary_owner

namespace write_read_view {
auto write(const TensorViewMut& view) { return TensorWrite(view).dtype(); }
#ifdef REFUSE_write_read_view  // expect: no matching (function|conversion)
auto write_reader(const TensorView& view) { return TensorWrite(view).dtype(); }
#endif
}  // namespace write_read_view

namespace read_unfinished {
auto read(UninitializedTensor&& tensor) { return TensorRead(std::move(tensor).assume_written()).dtype(); }
#ifdef REFUSE_read_unfinished  // expect: no matching (function|conversion)
auto read_too_early(const UninitializedTensor& tensor) { return TensorRead(tensor).dtype(); }
#endif
}  // namespace read_unfinished

namespace reclaim_lvalue {
void reclaim(const Engine& engine, Tensor&& tensor) { engine.reclaim_buffer(std::move(tensor)); }
#ifdef REFUSE_reclaim_lvalue  // expect: reclaim_buffer consumes its argument
void reclaim_silently(const Engine& engine, Tensor& tensor) { engine.reclaim_buffer(tensor); }
#endif
}  // namespace reclaim_lvalue

namespace shared_operand {
auto add(const Engine& engine, const SharedTensor& tensor, const Tensor& other) {
  const auto guard = tensor.read();
  return engine.add(guard.view(), other);
}
#ifdef REFUSE_shared_operand  // expect: A SharedTensor is no operand. keep a guard
auto add_handle(const Engine& engine, const SharedTensor& tensor, const Tensor& other) {
  return engine.add(tensor, other);
}
#endif
#ifdef REFUSE_shared_operand_of_a_reduction  // expect: A SharedTensor is no operand. keep a guard
auto sum_handle(const Engine& engine, const SharedTensor& tensor) { return engine.sum(tensor); }
#endif
#ifdef REFUSE_shared_input_of_into  // expect: A SharedTensor is no operand. keep a guard
void neg_handle(const Engine& engine, const SharedTensor& tensor, Tensor& out) {
  engine.neg_into(tensor, out);
}
#endif
#ifdef REFUSE_shared_destination  // expect: A SharedTensor is no destination. keep a guard
void write_handle(const Engine& engine, const Tensor& a, SharedTensor& tensor) { engine.neg_into(a, tensor); }
#endif
}  // namespace shared_operand

namespace axes_of_a_reduction {
auto one_axis(const Engine& engine, const Tensor& a) { return engine.sum(a, {.axes = 0}); }
auto listed_axes(const Engine& engine, const Tensor& a) { return engine.sum(a, {.axes = {0, 1}}); }
#ifdef REFUSE_axes_of_a_truth  // expect: no matching function|no matching member|could not convert|no viable
auto truth(const Engine& engine, const Tensor& a) { return engine.sum(a, {.axes = true}); }
#endif
}  // namespace axes_of_a_reduction
