// SPDX-License-Identifier: Apache-2.0
#include "cpu_engine.hpp"

#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "contract.hpp"
#include "copy.hpp"
#include "gather.hpp"
#include "linalg.hpp"
#include "one_loop.hpp"
#include "operand.hpp"
#include "program.hpp"
#include "reduce.hpp"
#include "tenure/sdk/error.hpp"
#include "triangle.hpp"

namespace tenure::cpu {
namespace {

// The operands of one operation, made where they stay: few are the rule, and small operations cost no more
// than their description.
class Operands {
 public:
  explicit Operands(const sdk::Operation& operation) {
    const std::uint32_t count = operation.operand_count();
    Operand* place = reinterpret_cast<Operand*>(few_);
    if (count > few_max) {
      many_.resize(count);
      place = many_.data();
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      tenure_operand room;
      ::new (place + i) Operand(to_operand(operation.operand(i, room)));
    }
    all_ = {place, count};
  }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  // All of them, which must be as many as the family takes.
  std::span<const Operand> require(std::uint32_t count, const char* family) const {
    if (all_.size() == count) return all_;
    throw sdk::Error(TENURE_INVALID_ARGUMENT, std::string(family) + " takes " + std::to_string(count) +
                                                  " operands; found " + std::to_string(all_.size()));
  }
  std::span<const Operand> all() const noexcept { return all_; }

 private:
  static constexpr std::uint32_t few_max = 4;
  static_assert(std::is_trivially_destructible_v<Operand>);

  alignas(Operand) std::byte few_[few_max * sizeof(Operand)];
  std::vector<Operand> many_;
  std::span<const Operand> all_;
};

void run_copy(const Executor& executor, const Operand& in, const Operand& out) {
  require_equal_extents(in, out);
  if (in.dtype != out.dtype) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "copy: the operands have dtypes " +
                                                  std::string(in.dtype_name()) + " and " +
                                                  std::string(out.dtype_name()) + "; use cast");
  }
  copy_box(executor, {.out = out.address,
                      .in = in.address,
                      .extents = out.extents,
                      .out_strides = out.strides,
                      .in_strides = in.strides,
                      .item_bytes = out.element_bytes()});
}

void run_fill(const Executor& executor, const tenure_scalar& value, const Operand& out) {
  if (!abi::same_dtype(value.dtype, out.abi_dtype())) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "fill: the value does not have the dtype of the output, " +
                                                  std::string(out.dtype_name()));
  }
  alignas(16) std::byte item[16];
  std::memcpy(item, value.value, sizeof item);
  constexpr std::int64_t no_strides[TENURE_RANK_MAX] = {};
  copy_box(executor, {.out = out.address,
                      .in = item,
                      .extents = out.extents,
                      .out_strides = out.strides,
                      .in_strides = std::span(no_strides).first(out.extents.size()),
                      .item_bytes = out.element_bytes()});
}

}  // namespace

CpuEngine::CpuEngine(const KernelSet& kernels, std::shared_ptr<ParallelFor> parallel,
                     std::uint64_t streaming_bytes_min)
    : kernels_(kernels), parallel_(std::move(parallel)), streaming_bytes_min_(streaming_bytes_min) {}

bool CpuEngine::supports(std::uint32_t code, std::uint32_t function,
                         std::span<const tenure_dtype> dtypes) const noexcept {
  for (const tenure_dtype dtype : dtypes) {
    if (dtype_index(dtype) == dtype_count) return false;
  }
  const auto all_equal = [&] {
    for (const tenure_dtype dtype : dtypes) {
      if (!abi::same_dtype(dtype, dtypes[0])) return false;
    }
    return true;
  };
  switch (code) {
    case TENURE_OP_COPY:
      return dtypes.size() == 2 && all_equal();
    case TENURE_OP_CAST:
      return dtypes.size() == 2;
    case TENURE_OP_FILL:
      return dtypes.size() == 1;
    case TENURE_OP_PROGRAM:
      return supports_function(kernels_, function, dtypes);
    case TENURE_OP_REDUCE:
      return dtypes.size() == 2 && supports_reduction(kernels_, function, dtypes[0], dtypes[1]);
    case TENURE_OP_CONTRACT:
      return dtypes.size() == 3 && all_equal() && has_product(kernels_, dtype_index(dtypes[0]));
    case TENURE_OP_TRIANGLE:
      return dtypes.size() == 2 && all_equal();
    case TENURE_OP_GATHER:
      return dtypes.size() == 3 && is_index(dtypes[1]) && abi::same_dtype(dtypes[0], dtypes[2]);
    case TENURE_OP_SCATTER:
      return dtypes.size() == 3 && is_index(dtypes[0]) && abi::same_dtype(dtypes[1], dtypes[2]);
    case TENURE_OP_LINALG:
      return supports_linalg(function, dtypes);
    default:
      return false;
  }
}

void CpuEngine::execute(const sdk::Operation& operation, tenure_stream* stream) const {
  if (stream != nullptr) {
    throw sdk::Error(TENURE_UNIMPLEMENTED, "the CPU engine has no streams; pass a null stream");
  }
  const Executor executor{kernels_, parallel_.get(), streaming_bytes_min_, operation.batch_policy()};
  if (run_one_loop(executor, operation)) return;
  const Operands operands(operation);
  switch (operation.code()) {
    case TENURE_OP_COPY: {
      const auto all = operands.require(2, "copy");
      return run_copy(executor, all[0], all[1]);
    }
    case TENURE_OP_CAST: {
      const auto all = operands.require(2, "cast");
      return run_cast(executor, all[0], all[1]);
    }
    case TENURE_OP_FILL: {
      const auto all = operands.require(1, "fill");
      return run_fill(executor, operation.attributes<tenure_fill_attributes>().value, all[0]);
    }
    case TENURE_OP_PROGRAM:
      return run_program(executor, operation.attributes<tenure_program_attributes>(), operands.all());
    case TENURE_OP_REDUCE: {
      const auto all = operands.require(2, "a reduction");
      const auto attributes = operation.attributes<tenure_reduce_attributes>();
      return run_reduce(executor, attributes.function, attributes.axis_mask, all[0], all[1]);
    }
    case TENURE_OP_CONTRACT: {
      const auto all = operands.require(3, "contract");
      return run_contract(executor, operation.attributes<tenure_contract_attributes>(), all[0], all[1],
                          all[2]);
    }
    case TENURE_OP_TRIANGLE: {
      const auto all = operands.require(2, "a triangle");
      return run_triangle(executor, operation.attributes<tenure_triangle_attributes>(), all[0], all[1]);
    }
    case TENURE_OP_GATHER: {
      const auto all = operands.require(3, "gather");
      return run_gather(executor, operation.attributes<tenure_axis_attributes>().axis, all[0], all[1],
                        all[2]);
    }
    case TENURE_OP_SCATTER: {
      const auto all = operands.require(3, "scatter");
      return run_scatter(executor, operation.attributes<tenure_axis_attributes>().axis, all[0], all[1],
                         all[2]);
    }
    case TENURE_OP_LINALG:
      return run_linalg(executor, operation.attributes<tenure_linalg_attributes>(), operands.all());
    default:
      throw sdk::Error(TENURE_UNIMPLEMENTED,
                       "the CPU engine knows no operation family " + std::to_string(operation.code()));
  }
}

}  // namespace tenure::cpu
