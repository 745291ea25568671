// SPDX-License-Identifier: Apache-2.0
#include "contract.hpp"

#include <span>
#include <string>

#include "contract_plan.hpp"
#include "copy.hpp"
#include "large_product.hpp"
#include "library_product.hpp"
#include "outer_product.hpp"
#include "program.hpp"
#include "scalar_element.hpp"
#include "scalar_number.hpp"
#include "small_product.hpp"
#include "tenure/sdk/error.hpp"

namespace tenure::cpu {
namespace {

// out = beta * out
void scale_only(const Executor& executor, const tenure_scalar& beta, const Operand& out) {
  if (is_number(beta, 0)) {
    constexpr std::int64_t no_strides[TENURE_RANK_MAX] = {};
    const ScalarElement zero{};
    copy_box(executor, {.out = out.address,
                        .in = zero.bytes,
                        .extents = out.extents,
                        .out_strides = out.strides,
                        .in_strides = std::span(no_strides).first(out.extents.size()),
                        .item_bytes = out.element_bytes()});
  } else if (!is_number(beta, 1)) {
    scale(executor, out, beta);
  }
}

}  // namespace

bool has_product(const KernelSet& kernels, std::size_t dtype) noexcept {
  return dtype < dtype_count && kernels.product->small[dtype] != nullptr;
}

void run_contract(const Executor& executor, const tenure_contract_attributes& attributes, const Operand& left,
                  const Operand& right, const Operand& out) {
  if (!has_product(executor.kernels, out.dtype) || left.dtype != out.dtype || right.dtype != out.dtype) {
    const Operand operands[] = {left, right, out};
    refuse_dtypes("contract", operands);
  }
  if (!abi::same_dtype(attributes.alpha.dtype, out.abi_dtype()) ||
      !abi::same_dtype(attributes.beta.dtype, out.abi_dtype())) {
    throw sdk::Error(
        TENURE_INVALID_ARGUMENT,
        "contract: alpha and beta must have the dtype of the operands, " + std::string(out.dtype_name()));
  }
  const ContractPlan plan(attributes, left, right, out);
  if (plan.batch_count == 0) return;
  if (plan.k == 0 || is_number(attributes.alpha, 0)) {
    scale_only(executor, attributes.beta, out);
  } else if (is_outer_product(executor, plan)) {
    run_outer_product(executor, plan, attributes, left, right, out);
  } else if (is_small_product(plan)) {
    run_small_product(executor, plan, attributes, left, right, out);
  } else if (!run_library_product(executor, plan, attributes, left, right, out)) {
    run_large_product(executor, plan, attributes, left, right, out);
  }
}

}  // namespace tenure::cpu
