// SPDX-License-Identifier: Apache-2.0
// engine: runs operations, and makes their outputs.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tenure/execution/batch_scope.hpp"
#include "tenure/execution/contract_options.hpp"
#include "tenure/execution/diagonal_options.hpp"
#include "tenure/execution/elementwise_input.hpp"
#include "tenure/execution/engine_options.hpp"
#include "tenure/execution/function.hpp"
#include "tenure/execution/linear_algebra.hpp"
#include "tenure/execution/padding.hpp"
#include "tenure/execution/program.hpp"
#include "tenure/execution/reduce_options.hpp"
#include "tenure/execution/result_type.hpp"
#include "tenure/execution/scalar.hpp"
#include "tenure/execution/tensor_read.hpp"
#include "tenure/execution/tensor_write.hpp"

struct tenure_engine;

namespace tenure::inline TENURE_BUILD {

class InstanceControl;
class OperandList;
class SupportMemo;

// An executor of an instance paired with a pool of the domain that outputs go to. Any number of threads may
// run operations on one engine; it is moved and destroyed by one. Outputs outlive it.
//
// Every operation takes owners and views of any layout in any memory that the host can map, and is complete
// on return. Operands of one operation have equal element types (the error names `cast`) and broadcast where
// an extent is 1, at equal rank only. Validation comes first: when it fails nothing was touched. An
// allocating form makes an output in the engine's domain; an `_into` form overwrites a destination of exactly
// the result's extents and element type, which may share memory with an input only in elementwise functions
// and only index by index.
//
// An operation maps the memory of a provider for as long as it runs, so one that writes an allocation
// excludes every other use of that allocation, also of a part of it: the second one throws AccessError
// (mapped). Plain host memory has no such bookkeeping, but a checked build tracks operands of all memory as
// borrows: one that is written excludes views of the same owner, one that is read those that write. Operands
// of one call do not exclude each other, so `add_into(a, b, a)` works in place.
//
// Besides ValidationError all throw AccessError for memory that the host cannot map or that is mapped,
// OutOfMemory, ExecutionError, ProviderError for a provider that fails to map or lies, EmptyOwner for a
// moved-from engine; `_into` forms DisjointError.
class TENURE_API Engine : public LinearAlgebra<Engine> {
 public:
  Engine(Engine&& other) noexcept;
  Engine& operator=(Engine&& other) noexcept;
  ~Engine();

  // Where outputs are made. Throws EmptyOwner.
  const AllocationDomain& domain() const { return live("Engine::domain").pool_.domain(); }
  const Pool& pool() const { return live("Engine::pool").pool_; }
  PoolStatistics pool_statistics() const { return live("Engine::pool_statistics").pool_.statistics(); }
  // As Pool::snapshot; `to_json` makes a document of it.
  PoolSnapshot pool_snapshot() const;
  // Whether the engine computes this for operands of these element types, inputs then outputs. What is put
  // together of others needs those: concatenate and reverse copy, pad and embed_diagonal copy and fill, and
  // scatter copy.
  bool supports(Function function, std::initializer_list<DType> dtypes) const;
  bool supports(Reduction reduction, std::initializer_list<DType> dtypes) const;
  bool supports(Operation operation, std::initializer_list<DType> dtypes) const;
  bool supports(Decomposition decomposition, std::initializer_list<DType> dtypes) const;

  // Named copies: the elements of `source`, compact, in the engine's domain; the same with another element
  // type. complex to real takes the real part, anything to bool is whether it is not zero.
  template <TensorArgument A>
  auto copy(const A& source) const {
    return typed<ResultOf<abi::ResultRule::same, A>>(copy_tensor(source));
  }
  void copy_into(const TensorRead& source, const TensorWrite& target) const;
  template <ElementType T, TensorArgument A>
  auto cast(const A& source) const {
    return typed<TypedTensor<T, detail::ArgumentType<A>::rank>>(cast_tensor(source, dtype_of<T>()));
  }
  Tensor cast(const TensorRead& source, DType dtype) const { return cast_tensor(source, dtype); }
  void cast_into(const TensorRead& source, const TensorWrite& target) const;
  // Every element becomes `value`.
  void fill_into(const Scalar& value, const TensorWrite& target) const;

#define TENURE_UNARY(name)                                              \
  template <TensorArgument A>                                           \
  auto name(const A& a) const {                                         \
    return typed<ResultOf<row_of(Function::name).result, A>>(           \
        run_function(#name, Function::name, {TensorRead(a)}));          \
  }                                                                     \
  void name##_into(const TensorRead& a, const TensorWrite& out) const { \
    run_function_into(#name "_into", Function::name, {a}, out);         \
  }

#define TENURE_BINARY(name)                                                                                  \
  template <ElementwiseArgument A, ElementwiseArgument B>                                                    \
  requires(TensorArgument<A> || TensorArgument<B>) auto name(const A& a, const B& b) const {                 \
    static_assert(detail::have_equal_elements<A, B>, "operands have equal element types; cast one of them"); \
    return typed<ResultOf<row_of(Function::name).result, A, B>>(                                             \
        run_function(#name, Function::name, {input(a), input(b)}));                                          \
  }                                                                                                          \
  template <ElementwiseArgument A, ElementwiseArgument B>                                                    \
  requires(TensorArgument<A> || TensorArgument<B>) void name##_into(const A& a, const B& b,                  \
                                                                    const TensorWrite& out) const {          \
    run_function_into(#name "_into", Function::name, {input(a), input(b)}, out);                             \
  }

  TENURE_UNARY(neg)
  TENURE_UNARY(abs)
  TENURE_UNARY(sqrt)
  TENURE_UNARY(exp)
  TENURE_UNARY(conj)
  TENURE_UNARY(sign)
  TENURE_UNARY(rsqrt)
  TENURE_UNARY(reciprocal)
  TENURE_UNARY(floor)
  TENURE_UNARY(ceil)
  TENURE_UNARY(round)
  TENURE_UNARY(expm1)
  TENURE_UNARY(log)
  TENURE_UNARY(log1p)
  TENURE_UNARY(sin)
  TENURE_UNARY(cos)
  TENURE_UNARY(tan)
  TENURE_UNARY(tanh)
  TENURE_UNARY(sigmoid)
  TENURE_UNARY(logical_not)
  TENURE_BINARY(add)
  TENURE_BINARY(subtract)
  TENURE_BINARY(multiply)
  TENURE_BINARY(divide)
  TENURE_BINARY(maximum)
  TENURE_BINARY(minimum)
  TENURE_BINARY(remainder)
  TENURE_BINARY(pow)
  TENURE_BINARY(atan2)
  TENURE_BINARY(equal)
  TENURE_BINARY(not_equal)
  TENURE_BINARY(less)
  TENURE_BINARY(less_equal)
  TENURE_BINARY(greater)
  TENURE_BINARY(greater_equal)
  TENURE_BINARY(logical_and)
  TENURE_BINARY(logical_or)
  TENURE_BINARY(logical_xor)
#undef TENURE_UNARY
#undef TENURE_BINARY

  // `a` where the condition, a boolean tensor, holds and `b` elsewhere.
  template <TensorArgument C, ElementwiseArgument A, ElementwiseArgument B>
  requires(TensorArgument<A> || TensorArgument<B>) auto where(const C& condition, const A& a,
                                                              const B& b) const {
    static_assert(detail::have_equal_elements<A, B>, "operands have equal element types; cast one of them");
    return typed<ResultOf<abi::ResultRule::same, A, B>>(
        run_function("where", Function::where, {TensorRead(condition), input(a), input(b)}));
  }
  template <TensorArgument C, ElementwiseArgument A, ElementwiseArgument B>
  requires(TensorArgument<A> || TensorArgument<B>) void where_into(const C& condition, const A& a, const B& b,
                                                                   const TensorWrite& out) const {
    run_function_into("where_into", Function::where, {TensorRead(condition), input(a), input(b)}, out);
  }
  // `a` held in [low, high]: minimum(maximum(a, low), high) in one pass. NaN stays NaN.
  template <TensorArgument A, ElementwiseArgument L, ElementwiseArgument H>
  auto clamp(const A& a, const L& low, const H& high) const {
    static_assert(detail::have_equal_elements<A, L> && detail::have_equal_elements<A, H>,
                  "operands have equal element types; cast one of them");
    return typed<ResultOf<abi::ResultRule::same, A>>(clamp_tensor(a, input(low), input(high)));
  }
  template <ElementwiseArgument L, ElementwiseArgument H>
  void clamp_into(const TensorRead& a, const L& low, const H& high, const TensorWrite& out) const {
    clamp_tensor_into(a, input(low), input(high), out);
  }
  // Any elementwise function, chosen at run time. At least one input is a tensor.
  Tensor apply(Function function, std::span<const ElementwiseInput> inputs) const;
  Tensor apply(Function function, std::initializer_list<ElementwiseInput> inputs) const {
    return apply(function, std::span(inputs.begin(), inputs.size()));
  }
  void apply_into(Function function, std::span<const ElementwiseInput> inputs, const TensorWrite& out) const;
  void apply_into(Function function, std::initializer_list<ElementwiseInput> inputs,
                  const TensorWrite& out) const {
    apply_into(function, std::span(inputs.begin(), inputs.size()), out);
  }
  // Runs a program; the outputs in the program's order.
  std::vector<Tensor> run(const Program& program, std::span<const TensorRead> inputs) const;
  std::vector<Tensor> run(const Program& program, std::initializer_list<TensorRead> inputs) const {
    return run(program, std::span(inputs.begin(), inputs.size()));
  }
  void run_into(const Program& program, std::span<const TensorRead> inputs,
                std::span<const TensorWrite> outputs) const;
  void run_into(const Program& program, std::initializer_list<TensorRead> inputs,
                std::initializer_list<TensorWrite> outputs) const {
    run_into(program, std::span(inputs.begin(), inputs.size()), std::span(outputs.begin(), outputs.size()));
  }

  // Sums, products and norms are blocked and pairwise, in an order that depends on the extents alone. max and
  // min give a NaN where there is one, argmax and argmin its first place; without elements these four are an
  // error. Places count the reduced axes, the first one fastest. The mean and norm2 of integers are an error:
  // cast first. all and any take bool. norm2 of complex elements is real.
#define TENURE_REDUCTION(name)                                     \
  template <TensorArgument A>                                      \
  auto name(const A& a, const ReduceOptions& options = {}) const { \
    return reduced<Reduction::name>(#name, a, options);            \
  }
  TENURE_REDUCTION(sum)
  TENURE_REDUCTION(mean)
  TENURE_REDUCTION(max)
  TENURE_REDUCTION(min)
  TENURE_REDUCTION(prod)
  TENURE_REDUCTION(all)
  TENURE_REDUCTION(any)
  TENURE_REDUCTION(argmax)
  TENURE_REDUCTION(argmin)
  TENURE_REDUCTION(norm2)
#undef TENURE_REDUCTION
  Tensor reduce(Reduction reduction, const TensorRead& a, const ReduceOptions& options = {}) const;
  void reduce_into(Reduction reduction, const TensorRead& a, const TensorWrite& out,
                   const ReduceOptions& options = {}) const;

  // The product of two matrices: [m, k] and [k, n] give [m, n]. Transposed and strided operands are not
  // copied whole.
  template <TensorArgument A, TensorArgument B>
  auto matmul(const A& a, const B& b) const {
    static_assert(detail::have_equal_elements<A, B>, "operands have equal element types; cast one of them");
    return typed<ResultOf<abi::ResultRule::same, A, B, 2>>(matmul_tensor(a, b));
  }
  void matmul_into(const TensorRead& a, const TensorRead& b, const TensorWrite& out,
                   const Accumulation& accumulation = {}) const;
  template <TensorArgument A, TensorArgument B>
  auto contract(const A& a, const B& b, const ContractOptions& options) const {
    static_assert(detail::have_equal_elements<A, B>, "operands have equal element types; cast one of them");
    return typed<ResultOf<abi::ResultRule::same, A, B, dynamic_rank>>(contract_tensor(a, b, options));
  }
  void contract_into(const TensorRead& a, const TensorRead& b, const ContractOptions& options,
                     const TensorWrite& out, const Accumulation& accumulation = {}) const;

  // The parts one after the other along an axis; on every other axis they have equal extents. Parts that are
  // listed as arguments keep their static element type and rank.
  template <TensorArgument A, TensorArgument... Rest>
  auto concatenate(std::int64_t axis, const A& first, const Rest&... rest) const {
    static_assert((detail::have_equal_elements<A, Rest> && ...),
                  "operands have equal element types; cast one of them");
    return typed<detail::ResultOfAll<A, Rest...>>(
        concatenate({TensorRead(first), TensorRead(rest)...}, axis));
  }
  Tensor concatenate(std::span<const TensorRead> parts, std::int64_t axis) const;
  Tensor concatenate(std::initializer_list<TensorRead> parts, std::int64_t axis) const {
    return concatenate(std::span(parts.begin(), parts.size()), axis);
  }
  void concatenate_into(std::span<const TensorRead> parts, std::int64_t axis, const TensorWrite& out) const;
  void concatenate_into(std::initializer_list<TensorRead> parts, std::int64_t axis,
                        const TensorWrite& out) const {
    concatenate_into(std::span(parts.begin(), parts.size()), axis, out);
  }
  // `a` with `value` around it, one Padding for each axis.
  template <TensorArgument A>
  auto pad(const A& a, std::initializer_list<Padding> padding, const Scalar& value) const {
    return pad(a, std::span(padding.begin(), padding.size()), value);
  }
  template <TensorArgument A>
  auto pad(const A& a, std::span<const Padding> padding, const Scalar& value) const {
    return typed<ResultOf<abi::ResultRule::same, A>>(pad_tensor(a, padding, value));
  }
  void pad_into(const TensorRead& a, std::span<const Padding> padding, const Scalar& value,
                const TensorWrite& out) const;
  void pad_into(const TensorRead& a, std::initializer_list<Padding> padding, const Scalar& value,
                const TensorWrite& out) const {
    pad_into(a, std::span(padding.begin(), padding.size()), value, out);
  }
  // `a` with these axes walked backwards. The view does that without a copy: flip.
  template <TensorArgument A>
  auto reverse(const A& a, const AxisSet& axes = {}) const {
    return typed<ResultOf<abi::ResultRule::same, A>>(reverse_tensor(a, axes));
  }
  void reverse_into(const TensorRead& a, const TensorWrite& out, const AxisSet& axes = {}) const;
  // Of each matrix in the first two axes the elements (i, j) with j - i at most `diagonal` (tril) or at least
  // (triu), and 0 for the others.
  template <TensorArgument A>
  auto tril(const A& a, std::int64_t diagonal = 0) const {
    return typed<ResultOf<abi::ResultRule::same, A>>(tril_tensor(a, diagonal));
  }
  void tril_into(const TensorRead& a, const TensorWrite& out, std::int64_t diagonal = 0) const;
  template <TensorArgument A>
  auto triu(const A& a, std::int64_t diagonal = 0) const {
    return typed<ResultOf<abi::ResultRule::same, A>>(triu_tensor(a, diagonal));
  }
  void triu_into(const TensorRead& a, const TensorWrite& out, std::int64_t diagonal = 0) const;
  // What has `a` as its diagonal, just large enough, and 0 elsewhere; one axis more than `a`. A diagonal is
  // taken without a copy by the view: diagonal.
  template <TensorArgument A>
  auto embed_diagonal(const A& a, const DiagonalOptions& diagonal = {}) const {
    return typed<ResultOf<abi::ResultRule::same, A, A, rank_plus(detail::ArgumentType<A>::rank, 1)>>(
        embed_diagonal_tensor(a, diagonal));
  }
  void embed_diagonal_into(const TensorRead& a, const TensorWrite& out,
                           const DiagonalOptions& diagonal = {}) const;
  // Along an axis the elements of `a` that i64 indices name; on every other axis `a` and the indices
  // broadcast, so one row of indices serves all lines. Indices are not negative: others are an ExecutionError
  // (refused) that names the index and its place, and nothing was written.
  template <TensorArgument A>
  auto gather(const A& a, const TensorRead& indices, std::int64_t axis) const {
    return typed<ResultOf<abi::ResultRule::same, A>>(gather_tensor(a, indices, axis));
  }
  void gather_into(const TensorRead& a, const TensorRead& indices, std::int64_t axis,
                   const TensorWrite& out) const;
  // `a` with updates in the places along an axis that i64 indices name; indices and updates broadcast to each
  // other, and to `a` on every other axis. Of several updates of one element the last one along the axis
  // stays. Indices as for gather. The `_into` form replaces elements of `out` and keeps the others.
  template <TensorArgument A>
  auto scatter(const A& a, const TensorRead& indices, const TensorRead& updates, std::int64_t axis) const {
    return typed<ResultOf<abi::ResultRule::same, A>>(scatter_tensor(a, indices, updates, axis));
  }
  void scatter_into(const TensorRead& indices, const TensorRead& updates, std::int64_t axis,
                    const TensorWrite& out) const;

  // Ends a tensor now instead of at the end of its scope: a block from a pool is idle there on return. Throws
  // EmptyOwner for a moved-from tensor.
  template <class A>
  requires std::derived_from<std::remove_cvref_t<A>, Owner>
  void reclaim_buffer(A&& tensor) const {
    static_assert(std::is_same_v<A, std::remove_cvref_t<A>>,
                  "reclaim_buffer consumes its argument; pass std::move(tensor)");
    [[maybe_unused]] const OwnerState ended = StateAccess::state(tensor).consume("reclaim_buffer");
  }

 private:
  friend class BatchScope;
  friend class Instance;
  friend class LinearAlgebra<Engine>;
  Engine(InstanceControl& instance, const EngineOptions& options);

  template <ElementwiseArgument A>
  static ElementwiseInput input(const A& argument) {
    if constexpr (TensorArgument<A>) {
      return ElementwiseInput(std::in_place_type<TensorRead>, argument);
    } else {
      return Scalar(argument);
    }
  }
  template <class Result>
  static Result typed(Tensor&& tensor) {
    if constexpr (std::is_same_v<Result, Tensor>) {
      return std::move(tensor);
    } else {
      return as<Result>(std::move(tensor), std::type_identity<Result>());
    }
  }
  template <class Result, class T, int Rank>
  static Result as(Tensor&& tensor, std::type_identity<TypedTensor<T, Rank>>) {
    return std::move(tensor).template into_typed<T, Rank>();
  }
  template <Reduction reduction, class A>
  auto reduced(const char* operation, const A& a, const ReduceOptions& options) const {
    return typed<ResultOf<row_of(reduction).result, A, A, dynamic_rank>>(
        run_reduction(operation, reduction, a, options));
  }

  class ContractCall;
  class FunctionRun;
  class GatherCall;
  class LinalgCall;
  class ReduceCall;
  class ScatterCall;
  class TriangleCall;
  // Uninitialised, in the engine's domain. Throws AccessError (not_mappable), OutOfMemory.
  UninitializedTensor make_output(const char* operation, DType dtype,
                                  std::span<const std::int64_t> extents) const;
  Tensor run_function(const char* operation, Function function,
                      std::span<const ElementwiseInput> inputs) const;
  Tensor run_function(const char* operation, Function function,
                      std::initializer_list<ElementwiseInput> inputs) const {
    return run_function(operation, function, std::span(inputs.begin(), inputs.size()));
  }
  void run_function_into(const char* operation, Function function, std::span<const ElementwiseInput> inputs,
                         const TensorWrite& out) const;
  void run_function_into(const char* operation, Function function,
                         std::initializer_list<ElementwiseInput> inputs, const TensorWrite& out) const {
    run_function_into(operation, function, std::span(inputs.begin(), inputs.size()), out);
  }
  Tensor run_reduction(const char* operation, Reduction reduction, const TensorRead& a,
                       const ReduceOptions& options) const;
  Tensor clamp_tensor(const TensorRead& a, const ElementwiseInput& low, const ElementwiseInput& high) const;
  void clamp_tensor_into(const TensorRead& a, const ElementwiseInput& low, const ElementwiseInput& high,
                         const TensorWrite& out) const;
  Tensor copy_tensor(const TensorRead& source) const;
  Tensor cast_tensor(const TensorRead& source, DType dtype) const;
  void convert(const char* operation, OperandList& operands, const ViewState& source,
               const ViewState& target) const;
  Tensor converted(const char* operation, const TensorRead& source, DType dtype) const;
  void convert_into(const char* operation, const TensorRead& source, const TensorWrite& target) const;
  Tensor pad_tensor(const TensorRead& a, std::span<const Padding> padding, const Scalar& value) const;
  void pad_around(const char* operation, const ViewState& source, std::span<const Padding> padding,
                  const tenure_scalar& value, const ViewState& target) const;
  Tensor reverse_tensor(const TensorRead& a, const AxisSet& axes) const;
  Tensor tril_tensor(const TensorRead& a, std::int64_t diagonal) const;
  Tensor triu_tensor(const TensorRead& a, std::int64_t diagonal) const;
  Tensor embed_diagonal_tensor(const TensorRead& a, const DiagonalOptions& diagonal) const;
  void place_on_diagonal(const char* operation, const ViewState& source, const DiagonalOptions& diagonal,
                         const ViewState& target) const;
  Tensor gather_tensor(const TensorRead& a, const TensorRead& indices, std::int64_t axis) const;
  Tensor scatter_tensor(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                        std::int64_t axis) const;
  Tensor matmul_tensor(const TensorRead& a, const TensorRead& b) const;
  Tensor contract_tensor(const TensorRead& a, const TensorRead& b, const ContractOptions& options) const;
  Tensor run_contract(const ContractCall& call) const;
  void run_contract_into(const ContractCall& call, const TensorWrite& out) const;

  std::vector<Tensor> run_linalg(std::uint32_t function, std::uint32_t flags,
                                 std::span<const TensorRead> inputs) const;
  void run_linalg_into(std::uint32_t function, std::uint32_t flags, std::span<const TensorRead> inputs,
                       std::span<const TensorWrite> outputs) const;
  // Steps of operations that put an output together; not counted as copies. Disjoint, of equal extents.
  void move_elements(const char* operation, const ViewState& source, const ViewState& target) const;
  void fill_elements(const char* operation, const tenure_scalar& value, const ViewState& target) const;
  // Throw ExecutionError (unsupported).
  void require_copy_support(const char* operation, DType dtype) const;
  void require_fill_support(const char* operation, DType dtype) const;
  void require_support(const char* operation, std::uint32_t code, std::uint32_t function,
                       std::span<const DType> dtypes) const;

  // The last step of every operation. The operands are validated; this maps them and asks the provider.
  void execute(const char* operation, std::uint32_t code, OperandList& operands,
               const void* attributes) const;
  void submit(const char* operation, std::uint32_t code, std::span<const tenure_operand> operands,
              const void* attributes) const;
  void require_program_support(const char* operation, const Program& program) const;
  std::vector<Tensor> run_named(const char* operation, const Program& program,
                                std::span<const TensorRead> inputs) const;
  // `positions`: of the inputs among the arguments of the operation; empty where they are all of them.
  void run_named_into(const char* operation, const Program& program, std::span<const TensorRead> inputs,
                      std::span<const std::size_t> positions, std::span<const TensorWrite> outputs) const;
  void run_program(const char* operation, const Program& program, OperandList& operands,
                   std::span<const ViewState* const> outputs) const;
  // The handle of `other`. Throws EmptyOwner, ValidationError for an engine of another instance.
  static tenure_engine* handle_beside(const InstanceControl& instance, const Engine& other);
  // This engine; throws EmptyOwner naming `operation` when it was moved from.
  const Engine& live(const char* operation) const;

  InstanceControl* instance_;
  std::shared_ptr<InstanceControl> keeps_open_;  // null where no handle was left to share
  tenure_engine* handle_;                        // null: moved from
  std::unique_ptr<SupportMemo> memo_;
  Pool pool_;
};

}  // namespace tenure::inline TENURE_BUILD
