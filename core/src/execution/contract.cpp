// SPDX-License-Identifier: Apache-2.0
// Contractions, of which the product of two matrices is one.
#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "execution/broadcast.hpp"
#include "execution/dtype_rule.hpp"
#include "execution/operand_list.hpp"
#include "execution/support_memo.hpp"
#include "layout/extents.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// At most so many numbers, which take no memory of their own.
template <class Number, std::size_t count_max>
class NumberList {
 public:
  void add(Number number) noexcept { numbers_[count_++] = number; }
  std::size_t size() const noexcept { return count_; }
  const Number* data() const noexcept { return numbers_; }
  const Number* begin() const noexcept { return numbers_; }
  const Number* end() const noexcept { return numbers_ + count_; }
  Number operator[](std::size_t place) const noexcept { return numbers_[place]; }

 private:
  std::size_t count_ = 0;
  Number numbers_[count_max];
};

constexpr auto rank_max = static_cast<std::size_t>(Layout::rank_max);
using AxisNumbers = NumberList<std::uint32_t, rank_max>;
// Of both operands' free axes and the batch axes; too many of them are refused where the output is made.
using ResultExtents = NumberList<std::int64_t, 2 * rank_max>;

// The scalar 1 of a numeric type.
tenure_scalar one_of(DType dtype) {
  static const auto ones = [] {
    std::array<tenure_scalar, abi::dtype_table.size()> made{};
    for (std::size_t place = 0; place < made.size(); ++place) {
      const DType known(abi::dtype_table[place].dtype);
      if (!known.is_boolean()) made[place] = Scalar(1).to("contract", known);
    }
    return made;
  }();
  return ones[abi::dtype_place(dtype.abi())];
}

// Which axes are paired, and how: ContractOptions without memory of its own.
struct ContractPairs {
  std::span<const std::int64_t> left_contracted{};
  std::span<const std::int64_t> right_contracted{};
  std::span<const std::int64_t> left_batch{};
  std::span<const std::int64_t> right_batch{};
  bool conjugate_left = false;
  bool conjugate_right = false;
};

ContractPairs pairs_of(const ContractOptions& options) noexcept {
  return {options.left_contracted, options.right_contracted, options.left_batch,
          options.right_batch,     options.conjugate_left,   options.conjugate_right};
}

// One operand's axes: which are contracted, which are batch, the rest are free.
class OperandAxes {
 public:
  OperandAxes(const char* operation, const char* side, const Layout& layout,
              std::span<const std::int64_t> contracted, std::span<const std::int64_t> batch)
      : operation_(operation), side_(side), layout_(layout) {
    take(contracted, contracted_);
    take(batch, batch_);
  }

  const AxisNumbers& contracted() const noexcept { return contracted_; }
  const AxisNumbers& batch() const noexcept { return batch_; }
  std::int64_t extent(std::uint32_t axis) const noexcept { return layout_.extent(axis); }
  void append_free_extents(ResultExtents& extents) const {
    for (std::int64_t axis = 0; axis < layout_.rank(); ++axis) {
      if (((used_ >> axis) & 1) == 0) extents.add(layout_.extent(axis));
    }
  }

 private:
  void take(std::span<const std::int64_t> axes, AxisNumbers& out) {
    for (const std::int64_t axis : axes) {
      const std::int64_t from_front = axis_from_front(operation_, axis, layout_.rank());
      const std::uint64_t bit = std::uint64_t{1} << from_front;
      if ((used_ & bit) != 0) {
        throw ValidationError(operation_, DuplicateAxis{.axis = axis, .role = side_});
      }
      used_ |= bit;
      out.add(static_cast<std::uint32_t>(from_front));
    }
  }

  const char* operation_;
  const char* side_;
  const Layout& layout_;
  std::uint64_t used_ = 0;
  AxisNumbers contracted_;
  AxisNumbers batch_;
};

void require_pairs(const char* operation, const char* role, const OperandAxes& left,
                   const AxisNumbers& left_axes, const OperandAxes& right, const AxisNumbers& right_axes) {
  if (left_axes.size() != right_axes.size()) {
    throw ValidationError(operation, InvalidArgument{role,
                                                     "as many axes of the left operand as of the right one "
                                                     "were wanted, found " +
                                                         std::to_string(left_axes.size()) + " and " +
                                                         std::to_string(right_axes.size())});
  }
  for (std::size_t i = 0; i < left_axes.size(); ++i) {
    const std::int64_t a = left.extent(left_axes[i]);
    const std::int64_t b = right.extent(right_axes[i]);
    if (a != b) {
      throw ValidationError(operation, PairedExtentMismatch{.role = role,
                                                            .left_axis = left_axes[i],
                                                            .left_extent = a,
                                                            .right_axis = right_axes[i],
                                                            .right_extent = b});
    }
  }
}

}  // namespace

// A validated contraction.
class Engine::ContractCall {
 public:
  // Without an accumulation the product itself is the result.
  ContractCall(const char* operation, const TensorRead& a, const TensorRead& b, const ContractPairs& pairs,
               const Accumulation* accumulation = nullptr)
      : operation_(operation),
        a_(StateAccess::state(a)),
        b_(StateAccess::state(b)),
        left_(operation, "left axes", a.layout(), pairs.left_contracted, pairs.left_batch),
        right_(operation, "right axes", b.layout(), pairs.right_contracted, pairs.right_batch) {
    require_equal_dtypes(operation, a.dtype(), b.dtype());
    require_dtype_class(operation, abi::class_numeric, a.dtype());
    require_pairs(operation, "contracted axes", left_, left_.contracted(), right_, right_.contracted());
    require_pairs(operation, "batch axes", left_, left_.batch(), right_, right_.batch());
    left_.append_free_extents(result_extents_);
    right_.append_free_extents(result_extents_);
    for (const std::uint32_t axis : left_.batch()) result_extents_.add(left_.extent(axis));
    if (accumulation == nullptr) {
      alpha_ = one_of(dtype());
      beta_.dtype = dtype().abi();
    } else {
      alpha_ = accumulation->alpha.to(operation, dtype());
      beta_ = accumulation->beta.to(operation, dtype());
      // Zero is all zero bits in every dtype.
      accumulates_ = std::ranges::any_of(beta_.value, [](std::uint8_t byte) { return byte != 0; });
    }
    flags_ = (pairs.conjugate_left ? TENURE_CONTRACT_CONJUGATE_LEFT : 0) |
             (pairs.conjugate_right ? TENURE_CONTRACT_CONJUGATE_RIGHT : 0);
  }

  const char* operation() const noexcept { return operation_; }
  std::span<const std::int64_t> result_extents() const noexcept {
    return {result_extents_.data(), result_extents_.size()};
  }
  DType dtype() const noexcept { return a_.dtype(); }

  void require_destination(const ViewState& target) const {
    require_destination_dtype(operation_, dtype(), target.dtype());
    require_extents(operation_, result_extents(), target.layout());
    require_disjoint(operation_, target, a_, output_and_input(0, 0));
    require_disjoint(operation_, target, b_, output_and_input(0, 1));
  }
  // What can be refused before there is an output.
  void require_possible(const Engine& engine) const {
    if (engine.memo_->knows_family(TENURE_OP_CONTRACT, dtype())) return;
    engine.require_support(operation_, TENURE_OP_CONTRACT, 0, std::array{dtype(), dtype(), dtype()});
    engine.memo_->learn_family(TENURE_OP_CONTRACT, dtype());
  }
  void add_inputs(OperandList& operands) const {
    operands.add_input(a_, a_.layout().extents());
    operands.add_input(b_, b_.layout().extents());
  }
  void run(const Engine& engine, OperandList& operands, const ViewState& target) const {
    if (target.layout().is_empty()) return;
    auto attributes = abi::make_struct<tenure_contract_attributes>();
    attributes.alpha = alpha_;
    attributes.beta = beta_;
    attributes.contracted_count = static_cast<std::uint32_t>(left_.contracted().size());
    attributes.batch_count = static_cast<std::uint32_t>(left_.batch().size());
    attributes.left_contracted = left_.contracted().data();
    attributes.right_contracted = right_.contracted().data();
    attributes.left_batch = left_.batch().data();
    attributes.right_batch = right_.batch().data();
    attributes.flags = flags_;
    operands.add_output(target);
    if (accumulates_) operands.read_output();
    engine.execute(operation_, TENURE_OP_CONTRACT, operands, &attributes);
  }

 private:
  const char* operation_;
  const ViewState& a_;
  const ViewState& b_;
  OperandAxes left_;
  OperandAxes right_;
  ResultExtents result_extents_;
  tenure_scalar alpha_;
  tenure_scalar beta_{};      // 0
  bool accumulates_ = false;  // the output is read
  std::uint32_t flags_ = 0;
};

namespace {

ContractPairs matrix_product(const char* operation, const TensorRead& a, const TensorRead& b) {
  for (const TensorRead* operand : {&a, &b}) {
    if (operand->layout().rank() != 2) {
      throw ValidationError(operation, RankMismatch{2, operand->layout().rank(), RankRule::matrix});
    }
  }
  static constexpr std::int64_t first[] = {0};
  static constexpr std::int64_t second[] = {1};
  return {.left_contracted = second, .right_contracted = first};
}

}  // namespace

Tensor Engine::run_contract(const ContractCall& call) const {
  call.require_possible(*this);
  OperandList operands(3);
  call.add_inputs(operands);
  operands.require_mappable(call.operation());
  auto output = make_output(call.operation(), call.dtype(), call.result_extents());
  call.run(*this, operands, StateAccess::state(output).view());
  // With beta 0 a contraction writes every index of its output and reads none, also over no products.
  return std::move(output).assume_written();
}

void Engine::run_contract_into(const ContractCall& call, const TensorWrite& out) const {
  call.require_possible(*this);
  call.require_destination(StateAccess::state(out));
  OperandList operands(3);
  call.add_inputs(operands);
  call.run(*this, operands, StateAccess::state(out));
}

Tensor Engine::matmul_tensor(const TensorRead& a, const TensorRead& b) const {
  live("matmul");
  return run_contract(ContractCall("matmul", a, b, matrix_product("matmul", a, b)));
}

void Engine::matmul_into(const TensorRead& a, const TensorRead& b, const TensorWrite& out,
                         const Accumulation& accumulation) const {
  live("matmul_into");
  run_contract_into(ContractCall("matmul_into", a, b, matrix_product("matmul_into", a, b), &accumulation),
                    out);
}

Tensor Engine::contract_tensor(const TensorRead& a, const TensorRead& b,
                               const ContractOptions& options) const {
  live("contract");
  return run_contract(ContractCall("contract", a, b, pairs_of(options)));
}

void Engine::contract_into(const TensorRead& a, const TensorRead& b, const ContractOptions& options,
                           const TensorWrite& out, const Accumulation& accumulation) const {
  live("contract_into");
  run_contract_into(ContractCall("contract_into", a, b, pairs_of(options), &accumulation), out);
}

}  // namespace tenure::inline TENURE_BUILD
