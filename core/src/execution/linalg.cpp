// SPDX-License-Identifier: Apache-2.0
// Decompositions of matrices and what they solve.
#include <algorithm>
#include <array>
#include <boost/container/static_vector.hpp>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/number_list.hpp"
#include "execution/broadcast.hpp"
#include "execution/dtype_rule.hpp"
#include "execution/operand_list.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

constexpr std::size_t input_count_max = 2;
constexpr std::size_t output_count_max = 3;

struct Names {
  const char* allocating;
  const char* into;
};

const Names& names_of(std::uint32_t function) noexcept {
  static constexpr std::array<Names, 7> names{{{"cholesky", "cholesky_into"},
                                               {"lu", "lu_into"},
                                               {"qr", "qr_into"},
                                               {"triangular_solve", "triangular_solve_into"},
                                               {"solve", "solve_into"},
                                               {"eigh", "eigh_into"},
                                               {"svd", "svd_into"}}};
  static_assert(TENURE_LINALG_CHOLESKY == 1 && TENURE_LINALG_SVD == names.size());
  return names[function - 1];
}

}  // namespace

// A validated call: what goes in, and what comes out.
class Engine::LinalgCall {
 public:
  LinalgCall(const char* operation, std::uint32_t function, std::uint32_t flags,
             std::span<const TensorRead> inputs)
      : operation_(operation), function_(function), flags_(flags) {
    for (const TensorRead& input : inputs) inputs_.push_back({&StateAccess::state(input), {}});
    require_matrices();
    const Layout& a = inputs_[0].state->layout();
    inputs_[0].extents.assign(a.extents().begin(), a.extents().end());
    if (inputs_.size() == 2) {
      add_right_side();
    } else {
      add_factors(a.extent(0), a.extent(1));
    }
  }

  const char* operation() const noexcept { return operation_; }
  std::size_t output_count() const noexcept { return outputs_.size(); }
  DType output_dtype(std::size_t number) const noexcept { return outputs_[number].dtype; }
  std::span<const std::int64_t> output_extents(std::size_t number) const noexcept {
    return span_of(outputs_[number].extents);
  }

  void require_possible(const Engine& engine) const {
    boost::container::static_vector<DType, input_count_max + output_count_max> dtypes;
    for (const Input& input : inputs_) dtypes.push_back(input.state->dtype());
    for (const Output& output : outputs_) dtypes.push_back(output.dtype);
    engine.require_support(operation_, TENURE_OP_LINALG, function_, {dtypes.data(), dtypes.size()});
  }
  void require_destinations(std::span<const TensorWrite> targets) const {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const ViewState& target = StateAccess::state(targets[i]);
      require_destination_dtype(operation_, outputs_[i].dtype, target.dtype());
      require_extents(operation_, span_of(outputs_[i].extents), target.layout());
      for (std::size_t input = 0; input < inputs_.size(); ++input) {
        require_disjoint(operation_, target, *inputs_[input].state, output_and_input(i, input));
      }
      for (std::size_t other = 0; other < i; ++other) {
        require_disjoint(operation_, target, StateAccess::state(targets[other]), two_outputs(i, other));
      }
    }
  }
  std::size_t operand_count() const noexcept { return inputs_.size() + outputs_.size(); }
  void add_inputs(OperandList& operands) const {
    for (const Input& input : inputs_) operands.add_input(*input.state, span_of(input.extents));
  }
  void run(const Engine& engine, OperandList& operands, std::span<const ViewState* const> targets) const {
    const auto is_empty = [](const ViewState* target) { return target->layout().is_empty(); };
    if (std::ranges::all_of(targets, is_empty)) return;
    for (const ViewState* target : targets) operands.add_output(*target);
    auto attributes = abi::make_struct<tenure_linalg_attributes>();
    attributes.function = function_;
    attributes.flags = flags_;
    engine.execute(operation_, TENURE_OP_LINALG, operands, &attributes);
  }

 private:
  struct Input {
    const ViewState* state;
    Extents extents;  // with the batch that all operands have in common
  };
  struct Output {
    DType dtype;
    Extents extents;
  };

  void require_matrices() const {
    const ViewState& a = *inputs_[0].state;
    require_dtype_class(operation_, abi::class_floating | abi::class_complex, a.dtype());
    const Layout& layout = a.layout();
    const bool is_square =
        function_ != TENURE_LINALG_LU && function_ != TENURE_LINALG_QR && function_ != TENURE_LINALG_SVD;
    if (layout.rank() >= 2 && (!is_square || layout.extent(0) == layout.extent(1))) return;
    throw ValidationError(operation_,
                          InvalidArgument{"a", std::string(is_square ? "square matrices" : "matrices") +
                                                   " in the first two axes were wanted, found the extents " +
                                                   text_of(layout.extents())});
  }

  // The right side and the solution, with the batch axes of both operands broadcast.
  void add_right_side() {
    const ViewState& b = *inputs_[1].state;
    require_equal_dtypes(operation_, inputs_[0].state->dtype(), b.dtype());
    Extents& matrix = inputs_[0].extents;
    const std::int64_t n = matrix[0];
    Extents common = matrix;
    common[0] = common[1] = 1;
    broadcast_with(operation_, common, b.layout());
    if (common[0] != n) {
      throw ValidationError(
          operation_,
          PairedExtentMismatch{
              .role = "rows", .left_axis = 0, .left_extent = n, .right_axis = 0, .right_extent = common[0]});
    }
    std::copy(common.begin() + 2, common.end(), matrix.begin() + 2);
    inputs_[1].extents = common;
    add_output(b.dtype(), common);
  }

  void add_factors(std::int64_t m, std::int64_t n) {
    const DType dtype = inputs_[0].state->dtype();
    const DType real(abi::result_dtype(abi::ResultRule::real_part, dtype.abi()));
    const std::int64_t k = std::min(m, n);
    switch (function_) {
      case TENURE_LINALG_CHOLESKY:
        return add(dtype, {n, n});
      case TENURE_LINALG_LU:
        add(dtype, {m, n});
        return add(i64, {m});
      case TENURE_LINALG_QR:
        add(dtype, {m, k});
        return add(dtype, {k, n});
      case TENURE_LINALG_EIGH:
        add(real, {n});
        return add(dtype, {n, n});
      default:
        add(dtype, {m, k});
        add(real, {k});
        return add(dtype, {k, n});
    }
  }
  void add(DType dtype, std::initializer_list<std::int64_t> own) {
    Extents extents(own.begin(), own.end());
    extents.insert(extents.end(), inputs_[0].extents.begin() + 2, inputs_[0].extents.end());
    add_output(dtype, extents);
  }
  void add_output(DType dtype, const Extents& extents) {
    // Copied into its place, because GCC 12 takes the move of a small_vector for a read beyond its end.
    const Output output{dtype, extents};
    outputs_.push_back(output);
  }

  const char* operation_;
  std::uint32_t function_;
  std::uint32_t flags_;
  boost::container::static_vector<Input, input_count_max> inputs_;
  boost::container::static_vector<Output, output_count_max> outputs_;
};

std::vector<Tensor> Engine::run_linalg(std::uint32_t function, std::uint32_t flags,
                                       std::span<const TensorRead> inputs) const {
  const char* const operation = names_of(function).allocating;
  live(operation);
  const LinalgCall call(operation, function, flags, inputs);
  call.require_possible(*this);
  OperandList operands(call.operand_count());
  call.add_inputs(operands);
  operands.require_mappable(call.operation());
  std::vector<UninitializedTensor> outputs;
  boost::container::static_vector<ViewState, output_count_max> targets;
  boost::container::static_vector<const ViewState*, output_count_max> pointers;
  for (std::size_t i = 0; i < call.output_count(); ++i) {
    outputs.push_back(make_output(call.operation(), call.output_dtype(i), call.output_extents(i)));
    targets.push_back(StateAccess::state(outputs.back()).view());
    pointers.push_back(&targets.back());
  }
  call.run(*this, operands, {pointers.data(), pointers.size()});
  std::vector<Tensor> written;
  // A function of linear algebra that succeeds writes every index of every output.
  for (UninitializedTensor& output : outputs) written.push_back(std::move(output).assume_written());
  return written;
}

void Engine::run_linalg_into(std::uint32_t function, std::uint32_t flags, std::span<const TensorRead> inputs,
                             std::span<const TensorWrite> outputs) const {
  const char* const operation = names_of(function).into;
  live(operation);
  const LinalgCall call(operation, function, flags, inputs);
  call.require_possible(*this);
  call.require_destinations(outputs);
  boost::container::static_vector<const ViewState*, output_count_max> targets;
  for (const TensorWrite& output : outputs) targets.push_back(&StateAccess::state(output));
  OperandList operands(call.operand_count());
  call.add_inputs(operands);
  call.run(*this, operands, {targets.data(), targets.size()});
}

}  // namespace tenure::inline TENURE_BUILD
