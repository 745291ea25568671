// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/engine.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "base/enumerator.hpp"
#include "execution/operand_list.hpp"
#include "execution/support_memo.hpp"
#include "loader/instance_control.hpp"
#include "memory/mappable.hpp"
#include "memory/provider_status.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/execution_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/loader/instance.hpp"
#include "tenure/memory/pool_snapshot.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

AllocationDomain domain_for(const EngineOptions& options, const InstanceControl& instance) {
  return options.domain ? *options.domain : AllocationDomain(instance.default_domain());
}

const tenure_engine_api& api_of(const InstanceControl& instance) {
  if (instance.engine_api() == nullptr) {
    throw ProviderError(
        "Instance::engine", instance.provider_id(), TENURE_UNIMPLEMENTED,
        "an engine was wanted, but this provider offers no " TENURE_EXT_ENGINE
        "; make the engine from a provider that does, with this one's domain as its output domain");
  }
  return *instance.engine_api();
}

ExecutionError::Kind kind_of(std::int32_t code, std::string_view native_domain) noexcept {
  switch (code) {
    case TENURE_FAILED_PRECONDITION:
      if (native_domain == TENURE_LINALG_NOT_POSITIVE) return ExecutionError::Kind::not_positive_definite;
      if (native_domain == TENURE_LINALG_SINGULAR) return ExecutionError::Kind::singular;
      if (native_domain == TENURE_LINALG_NO_CONVERGENCE) return ExecutionError::Kind::no_convergence;
      return ExecutionError::Kind::failed;
    case TENURE_INVALID_ARGUMENT:
      return ExecutionError::Kind::refused;
    case TENURE_UNIMPLEMENTED:
      return ExecutionError::Kind::unsupported;
    case TENURE_RESOURCE_EXHAUSTED:
      return ExecutionError::Kind::exhausted;
    default:
      return ExecutionError::Kind::failed;
  }
}

const char* sentence_of(ExecutionError::Kind kind) noexcept {
  switch (kind) {
    case ExecutionError::Kind::refused:
      return "the operands hold a value that the operation does not take; nothing was written";
    case ExecutionError::Kind::unsupported:
      return "the engine does not compute this form; nothing was written";
    case ExecutionError::Kind::exhausted:
      return "the engine could not get memory or threads that it needs; release some and try again";
    case ExecutionError::Kind::not_positive_definite:
      return "a matrix is not positive definite, and what was written is not to be used";
    case ExecutionError::Kind::singular:
      return "a matrix is singular, and what was written is not to be used";
    case ExecutionError::Kind::no_convergence:
      return "the values of a matrix did not converge; look for elements that are not finite";
    case ExecutionError::Kind::failed:
      break;
  }
  return "the engine failed on the way, and what it wrote is not to be used";
}

std::string names_of(std::span<const DType> dtypes) {
  std::string names;
  for (const DType dtype : dtypes) names += (names.empty() ? "" : ", ") + std::string(dtype.name());
  return names;
}

// Whether the engine of `instance` computes a family for operands of these element types.
bool asks_support(const InstanceControl& instance, tenure_engine* engine, std::uint32_t code,
                  std::uint32_t function, std::span<const DType> dtypes) {
  boost::container::small_vector<tenure_dtype, 4> operands(dtypes.size(), boost::container::default_init);
  std::ranges::transform(dtypes, operands.begin(), &DType::abi);
  return instance.engine_api()->supports(engine, code, function, operands.data(), operands.size()) != 0;
}

// What the engine's answer, which is not OK, means.
[[noreturn, gnu::cold]] void throw_answer(const char* operation, std::int32_t answer,
                                          const InstanceControl& instance, const ProviderStatus& status) {
  const auto cause = std::make_shared<ProviderError>(status.error(operation, instance, "executing", answer));
  const ExecutionError::Kind kind = kind_of(answer, cause->native_domain());
  const bool has_pivot =
      kind == ExecutionError::Kind::not_positive_definite || kind == ExecutionError::Kind::singular;
  throw ExecutionError(kind, operation, instance.provider_id(), sentence_of(kind), cause,
                       has_pivot ? cause->native_code() - 1 : -1);
}

}  // namespace

Engine Instance::engine(const EngineOptions& options) const { return Engine(*control(), options); }

Engine::Engine(InstanceControl& instance, const EngineOptions& options)
    : instance_(&instance),
      keeps_open_(instance.share()),
      handle_(nullptr),
      memo_(std::make_unique<SupportMemo>()),
      pool_(domain_for(options, instance), options.pool) {
  const tenure_engine_api& api = api_of(instance);
  require_enumerator("Instance::engine", "mode", options.mode, EngineMode::parallel);
  auto request = abi::make_struct<tenure_engine_options>();
  request.mode = options.mode == EngineMode::parallel ? TENURE_ENGINE_PARALLEL : TENURE_ENGINE_SERIAL;
  request.threads = options.threads;
  if (options.threads_of != nullptr) request.threads_of = handle_beside(instance, *options.threads_of);
  instance.retain(LiveKind::engine, 0);
  ProviderStatus status;
  const std::int32_t code = api.engine_create(instance.handle(), &request, &handle_, status.get());
  if (code == TENURE_OK && handle_ != nullptr) return;
  instance.release(LiveKind::engine, 0);
  if (code == TENURE_OK) {
    throw ProviderError("Instance::engine", instance.provider_id(), TENURE_INTERNAL,
                        "engine_create answered OK but gave no engine; the provider breaks its contract");
  }
  throw status.error("Instance::engine", instance, "creating an engine", code);
}

tenure_engine* Engine::handle_beside(const InstanceControl& instance, const Engine& other) {
  const Engine& living = other.live("Instance::engine");
  if (living.instance_ == &instance) return living.handle_;
  throw ValidationError(
      "Instance::engine",
      InvalidArgument{"threads_of", "an engine of the same instance was wanted, found one of " +
                                        living.instance_->provider_id() +
                                        " opened apart; make both engines from one instance"});
}

Engine::Engine(Engine&& other) noexcept
    : instance_(other.instance_),
      keeps_open_(std::move(other.keeps_open_)),
      handle_(std::exchange(other.handle_, nullptr)),
      memo_(std::move(other.memo_)),
      pool_(std::move(other.pool_)) {}

Engine& Engine::operator=(Engine&& other) noexcept {
  if (this != &other) {
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
  }
  return *this;
}

Engine::~Engine() {
  if (handle_ == nullptr) return;
  instance_->engine_api()->engine_release(handle_);
  instance_->release(LiveKind::engine, 0);
}

const Engine& Engine::live(const char* operation) const {
  if (handle_ == nullptr) throw EmptyOwner(operation);
  return *this;
}

UninitializedTensor Engine::make_output(const char* operation, DType dtype,
                                        std::span<const std::int64_t> extents) const {
  require_mappable(operation, *pool_.domain().record(), TENURE_ACCESS_HOST_WRITE);
  return UninitializedTensor::in(operation, pool_, dtype, extents);
}

PoolSnapshot Engine::pool_snapshot() const { return live("Engine::pool_snapshot").pool_.snapshot(); }

bool Engine::supports(Function function, std::initializer_list<DType> dtypes) const {
  live("Engine::supports");
  find_row(function, "Engine::supports");
  return asks_support(*instance_, handle_, TENURE_OP_PROGRAM, static_cast<std::uint32_t>(function), dtypes);
}

bool Engine::supports(Reduction reduction, std::initializer_list<DType> dtypes) const {
  live("Engine::supports");
  find_row(reduction, "Engine::supports");
  return asks_support(*instance_, handle_, TENURE_OP_REDUCE, static_cast<std::uint32_t>(reduction), dtypes);
}

bool Engine::supports(Operation operation, std::initializer_list<DType> dtypes) const {
  live("Engine::supports");
  switch (operation) {
    case Operation::copy:
    case Operation::cast:
    case Operation::fill:
    case Operation::contract:
    case Operation::gather:
    case Operation::scatter:
    case Operation::triangle:
      return asks_support(*instance_, handle_, static_cast<std::uint32_t>(operation), 0, dtypes);
  }
  throw_no_enumerator("Engine::supports", "operation", operation);
}

bool Engine::supports(Decomposition decomposition, std::initializer_list<DType> dtypes) const {
  live("Engine::supports");
  const auto function = static_cast<std::uint32_t>(decomposition);
  if (decomposition < Decomposition::cholesky || decomposition > Decomposition::svd) {
    throw_no_enumerator("Engine::supports", "decomposition", decomposition);
  }
  return asks_support(*instance_, handle_, TENURE_OP_LINALG, function, dtypes);
}

void Engine::require_support(const char* operation, std::uint32_t code, std::uint32_t function,
                             std::span<const DType> dtypes) const {
  const std::uint64_t question = SupportMemo::question(code, function, dtypes);
  if (memo_->knows(question)) return;
  if (asks_support(*instance_, handle_, code, function, dtypes)) return memo_->learn(question);
  throw ExecutionError(ExecutionError::Kind::unsupported, operation, instance_->provider_id(),
                       "the engine of " + instance_->provider_id() + " does not compute this for " +
                           names_of(dtypes) + "; cast to a type that it supports");
}

void Engine::execute(const char* operation, std::uint32_t code, OperandList& operands,
                     const void* attributes) const {
  instance_->require_usable();
  OperandList::Mappings maps;
  if (operands.has_records()) operands.map(operation, maps);
  submit(operation, code, operands.operands(), attributes);
}

void Engine::submit(const char* operation, std::uint32_t code, std::span<const tenure_operand> operands,
                    const void* attributes) const {
  instance_->require_usable();
  const tenure_op op{.head = abi::head_of<tenure_op>(),
                     .code = code,
                     .operand_count = static_cast<std::uint32_t>(operands.size()),
                     .operands = operands.data(),
                     .operand_stride_bytes = sizeof(tenure_operand),
                     .attributes = attributes,
                     .batch_policy = static_cast<std::uint32_t>(BatchScope::policy_on(handle_)),
                     .zero = 0};
  ProviderStatus status;
  const std::int32_t answer = instance_->engine_api()->execute(handle_, &op, nullptr, status.get());
  if (answer != TENURE_OK) throw_answer(operation, answer, *instance_, status);
}

}  // namespace tenure::inline TENURE_BUILD
