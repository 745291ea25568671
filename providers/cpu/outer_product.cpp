// SPDX-License-Identifier: Apache-2.0
#include "outer_product.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "program.hpp"
#include "scalar_number.hpp"
#include "small_product.hpp"
#include "tenure/abi/struct_head.hpp"

namespace tenure::cpu {
namespace {

// Measured: items of so many elements take the register kernels less time than a program takes, and a program
// of so many elements less than smaller items take.
constexpr std::int64_t item_elements_min = 64;
constexpr std::int64_t program_elements_min = 256;

// The strides of one operand over the axes of the plan, and where its walk begins.
struct BroadcastOperand {
  std::array<std::int64_t, TENURE_RANK_MAX> strides{};
  std::size_t rank = 0;
  std::int64_t start = 0;

  // The operand does not have these axes, and is the same along them.
  void repeat(const LoopNest& nest) { rank += static_cast<std::size_t>(nest.rank()); }

  void walk(const LoopNest& nest, int operand) {
    for (int axis = 0; axis < nest.rank(); ++axis) strides[rank++] = nest.stride(operand, axis);
    start += nest.start(operand);
  }

  Operand at(const Operand& whole, std::span<const std::int64_t> extents) const noexcept {
    return {.address = whole.address + start * whole.element_bytes(),
            .extents = extents,
            .strides = {strides.data(), rank},
            .dtype = whole.dtype};
  }
};

// out = alpha * left * right + beta * out as a program of as few nodes as these scalars and flags need.
class ProductProgram {
 public:
  // Values are numbered: left, right, out where beta is not 0, the constants, the nodes.
  explicit ProductProgram(const tenure_contract_attributes& attributes) : dtype_(attributes.alpha.dtype) {
    const bool has_alpha = !is_number(attributes.alpha, 1);
    const bool adds = !is_number(attributes.beta, 0);
    const bool has_beta = adds && !is_number(attributes.beta, 1);
    if (adds) ++input_count_;
    const std::uint32_t alpha = add_constant(attributes.alpha, has_alpha);
    const std::uint32_t beta = add_constant(attributes.beta, has_beta);
    const bool is_complex = abi::is_complex(dtype_);
    std::uint32_t left = 0;
    std::uint32_t right = 1;
    std::uint32_t old = 2;
    if (is_complex && (attributes.flags & TENURE_CONTRACT_CONJUGATE_LEFT) != 0)
      left = add_node(TENURE_FN_CONJ, left);
    if (is_complex && (attributes.flags & TENURE_CONTRACT_CONJUGATE_RIGHT) != 0)
      right = add_node(TENURE_FN_CONJ, right);
    result_ = add_node(TENURE_FN_MULTIPLY, left, right);
    if (has_alpha) result_ = add_node(TENURE_FN_MULTIPLY, result_, alpha);
    if (has_beta) old = add_node(TENURE_FN_MULTIPLY, old, beta);
    if (adds) result_ = add_node(TENURE_FN_ADD, result_, old);
  }

  bool reads_out() const noexcept { return input_count_ == 3; }

  // Borrows from this.
  tenure_program_attributes attributes() const noexcept {
    auto attributes = abi::make_struct<tenure_program_attributes>();
    attributes.input_count = input_count_;
    attributes.constant_count = constant_count_;
    attributes.node_count = node_count_;
    attributes.output_count = 1;
    attributes.constants = constants_;
    attributes.nodes = nodes_;
    attributes.outputs = &result_;
    return attributes;
  }

 private:
  std::uint32_t add_constant(const tenure_scalar& scalar, bool is_needed) noexcept {
    if (is_needed) constants_[constant_count_++] = scalar;
    return input_count_ + constant_count_ - 1;
  }

  std::uint32_t add_node(std::uint32_t function, std::uint32_t first, std::uint32_t second = 0) noexcept {
    nodes_[node_count_++] = {.function = function, .dtype = dtype_, .arguments = {first, second}, .zero = 0};
    return input_count_ + constant_count_ + node_count_ - 1;
  }

  tenure_dtype dtype_;
  std::uint32_t input_count_ = 2;
  std::uint32_t constant_count_ = 0;
  std::uint32_t node_count_ = 0;
  std::uint32_t result_ = 0;
  tenure_scalar constants_[2]{};
  tenure_program_node nodes_[6]{};
};

}  // namespace

bool is_outer_product(const Executor& executor, const ContractPlan& plan) noexcept {
  if (plan.k != 1 || executor.batch_policy >= TENURE_BATCH_OUTER) return false;
  const std::int64_t item_elements = plan.m * plan.n;
  const bool has_tiny_items = item_elements < item_elements_min;
  return has_tiny_items ? item_elements * plan.batch_count >= program_elements_min : !is_small_product(plan);
}

void run_outer_product(const Executor& executor, const ContractPlan& plan,
                       const tenure_contract_attributes& attributes, const Operand& left,
                       const Operand& right, const Operand& out) {
  std::array<std::int64_t, TENURE_RANK_MAX> extents{};
  std::size_t rank = 0;
  for (const LoopNest* const nest : {&plan.rows, &plan.columns, &plan.batch}) {
    for (int axis = 0; axis < nest->rank(); ++axis) extents[rank++] = nest->extent(axis);
  }
  BroadcastOperand left_walk, right_walk, out_walk;
  left_walk.walk(plan.rows, 1);
  left_walk.repeat(plan.columns);
  left_walk.walk(plan.batch, 1);
  right_walk.repeat(plan.rows);
  right_walk.walk(plan.columns, 1);
  right_walk.walk(plan.batch, 2);
  out_walk.walk(plan.rows, 0);
  out_walk.walk(plan.columns, 0);
  out_walk.walk(plan.batch, 0);
  const std::span found(extents.data(), rank);
  const Operand target = out_walk.at(out, found);
  const Operand operands[] = {left_walk.at(left, found), right_walk.at(right, found), target, target};
  const ProductProgram program(attributes);
  Executor on_threads = executor;
  if (executor.batch_policy == TENURE_BATCH_SEQUENTIAL) on_threads.parallel = nullptr;
  run_program(on_threads, program.attributes(), std::span(operands).first(program.reads_out() ? 4 : 3));
}

}  // namespace tenure::cpu
