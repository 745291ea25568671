// SPDX-License-Identifier: Apache-2.0
// engine_rules: executors of tensor operations, for providers that offer them.
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rules/block.hpp"
#include "rules/extension.hpp"
#include "rules/open_instance.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"
#include "tenure/provider_engine.h"

namespace tenure::probe {

namespace {

constexpr tenure_dtype f32{TENURE_DTYPE_FLOAT, 32, 1};
constexpr tenure_dtype f64{TENURE_DTYPE_FLOAT, 64, 1};

constexpr std::array<std::int64_t, 2> extents{5, 7};
constexpr std::int64_t element_count = 35;
constexpr std::array<std::int64_t, 2> compact{1, 5};
constexpr std::array<std::int64_t, 2> transposed{7, 1};

// A matrix of one dtype in the domain that outputs go to.
class Matrix {
 public:
  Matrix(OpenInstance& instance, const DomainFacts& domain, tenure_dtype dtype)
      : instance_(instance), dtype_(dtype), block_(instance, domain, bytes()) {}

  std::uint64_t bytes() const noexcept { return static_cast<std::uint64_t>(element_count) * dtype_.bits / 8; }
  void write(std::span<const std::byte> content) { block_.write(content); }
  std::vector<std::byte> read() { return block_.read(bytes()); }
  bool is_reachable() const { return block_.is_reachable(); }

  // As an operand, at a host address where there is one until `unmap`.
  tenure_operand operand(std::uint32_t access, const std::array<std::int64_t, 2>& strides) {
    auto operand = abi::make_struct<tenure_operand>();
    if (block_.domain().is_host_accessible()) {
      mapping_ = std::make_unique<HostMapping>(
          instance_, block_.storage(),
          access == TENURE_OPERAND_READ ? TENURE_ACCESS_HOST_READ : TENURE_ACCESS_HOST_WRITE);
      operand.address = mapping_->address();
    }
    operand.storage = block_.storage();
    operand.extents = extents.data();
    operand.strides = strides.data();
    operand.dtype = dtype_;
    operand.rank = 2;
    operand.access = access;
    return operand;
  }
  void unmap() { mapping_.reset(); }

 private:
  OpenInstance& instance_;
  tenure_dtype dtype_;
  Block block_;
  std::unique_ptr<HostMapping> mapping_;
};

// A serial engine of the provider under trial and the domain of its outputs. Releases it.
class TrialEngine {
 public:
  // Skips the rule when the provider offers no engine, and fails it when the engine is refused.
  explicit TrialEngine(Trial& trial) : instance_(trial) {
    const auto& api =
        require_extension<tenure_engine_api>(instance_, TENURE_EXT_ENGINE, "the provider offers no engine");
    of_instance_.emplace(api, instance_.object(), trial);
    auto options = abi::make_struct<tenure_engine_options>();
    options.mode = TENURE_ENGINE_SERIAL;
    tenure_engine* engine = nullptr;
    Answer answer;
    answer.code =
        of_instance_->table().engine_create(of_instance_->handle(), &options, &engine, answer.status());
    trial.expect(answer.ok() && engine != nullptr, sentence("engine_create answered ", answer.text()));
    of_engine_.emplace(api, engine, trial);
    domains_ = instance_.domains();
    domain_ = &domains_[default_domain()];
    if (!Block(instance_, *domain_, 64).is_reachable()) {
      trial.skip("the host can neither map nor copy the domain of the engine's outputs");
    }
  }
  TrialEngine(const TrialEngine&) = delete;
  TrialEngine& operator=(const TrialEngine&) = delete;
  ~TrialEngine() { of_engine_->table().engine_release(of_engine_->handle()); }

  Trial& trial() const noexcept { return instance_.trial(); }
  Matrix matrix(tenure_dtype dtype) { return {instance_, *domain_, dtype}; }

  bool supports(std::uint32_t code, std::span<const tenure_dtype> dtypes) {
    return of_engine_->table().supports(of_engine_->handle(), code, 0, dtypes.data(), dtypes.size()) != 0;
  }
  Answer execute(std::uint32_t code, std::span<const tenure_operand> operands,
                 const void* attributes = nullptr) {
    auto op = abi::make_struct<tenure_op>();
    op.code = code;
    op.operand_count = static_cast<std::uint32_t>(operands.size());
    op.operands = operands.data();
    op.operand_stride_bytes = sizeof(tenure_operand);
    op.attributes = attributes;
    Answer answer;
    answer.code = of_engine_->table().execute(of_engine_->handle(), &op, nullptr, answer.status());
    return answer;
  }

 private:
  std::uint64_t default_domain() {
    auto device = abi::make_struct<tenure_device_info>();
    if (instance_.api().device_count(instance_.handle()) != 0) {
      instance_.api().device_info(instance_.handle(), 0, &device, nullptr);
    }
    return device.default_domain < domains_.size() ? device.default_domain : 0;
  }

  OpenInstance instance_;
  std::optional<abi::Interposer<tenure_engine_api, tenure_instance>> of_instance_;
  std::optional<abi::Interposer<tenure_engine_api, tenure_engine>> of_engine_;
  std::vector<DomainFacts> domains_;
  const DomainFacts* domain_ = nullptr;
};

// Runs an operation with one input, whose axes are transposed when `strides` say so, and one output.
struct UnaryRun {
  Answer answer;
  std::vector<std::byte> input;
  std::vector<std::byte> output_before;
  std::vector<std::byte> output_after;
};

UnaryRun run_unary(TrialEngine& engine, std::uint32_t code, tenure_dtype from, tenure_dtype to,
                   const std::vector<std::byte>& input, const std::array<std::int64_t, 2>& strides) {
  Matrix source = engine.matrix(from);
  Matrix target = engine.matrix(to);
  UnaryRun run{
      .answer = {}, .input = input, .output_before = pattern(target.bytes(), 61), .output_after = {}};
  source.write(run.input);
  target.write(run.output_before);
  const std::array operands{source.operand(TENURE_OPERAND_READ, strides),
                            target.operand(TENURE_OPERAND_WRITE, compact)};
  run.answer = engine.execute(code, operands);
  source.unmap();
  target.unmap();
  run.output_after = target.read();
  return run;
}

// Small whole numbers, which every dtype holds exactly.
template <class T>
std::vector<std::byte> whole_numbers() {
  std::vector<std::byte> bytes(element_count * sizeof(T));
  for (std::int64_t i = 0; i < element_count; ++i) {
    const auto value = static_cast<T>(i);
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof value);
  }
  return bytes;
}

void copy(Trial& trial) {
  TrialEngine engine(trial);
  bool any = false;
  for (const tenure_dtype dtype : {f32, f64, tenure_dtype{TENURE_DTYPE_UINT, 8, 1}}) {
    if (!engine.supports(TENURE_OP_COPY, std::array{dtype, dtype})) continue;
    any = true;
    const std::uint64_t element_bytes = dtype.bits / 8;
    const auto input = pattern(element_count * element_bytes, 62);
    const UnaryRun run = run_unary(engine, TENURE_OP_COPY, dtype, dtype, input, transposed);
    trial.expect(run.answer.ok(),
                 sentence("a copy of ", element_bytes, "-byte elements answered ", run.answer.text()));
    std::vector<std::byte> wanted(run.input.size());
    for (std::int64_t i = 0; i < extents[0]; ++i) {
      for (std::int64_t j = 0; j < extents[1]; ++j) {
        const auto from = static_cast<std::uint64_t>(i * transposed[0] + j * transposed[1]) * element_bytes;
        const auto to = static_cast<std::uint64_t>(i * compact[0] + j * compact[1]) * element_bytes;
        std::memcpy(wanted.data() + to, run.input.data() + from, element_bytes);
      }
    }
    trial.expect(run.output_after == wanted,
                 sentence("a transposed copy of ", element_bytes, "-byte elements left wrong bytes"));
  }
  if (!any) trial.skip("the engine does not copy");
}

void fill(Trial& trial) {
  TrialEngine engine(trial);
  if (!engine.supports(TENURE_OP_FILL, std::array{f32})) trial.skip("the engine does not fill");
  Matrix target = engine.matrix(f32);
  target.write(pattern(target.bytes(), 63));
  constexpr float value = 2.5F;
  auto attributes = abi::make_struct<tenure_fill_attributes>();
  attributes.value.dtype = f32;
  std::memcpy(attributes.value.value, &value, sizeof value);
  const std::array operands{target.operand(TENURE_OPERAND_WRITE, compact)};
  const Answer answer = engine.execute(TENURE_OP_FILL, operands, &attributes);
  target.unmap();
  trial.expect(answer.ok(), sentence("a fill answered ", answer.text()));
  const auto found = target.read();
  for (std::size_t at = 0; at < found.size(); at += sizeof value) {
    trial.expect(std::memcmp(found.data() + at, &value, sizeof value) == 0,
                 sentence("element ", at / sizeof value, " is not what was filled in"));
  }
}

void supports_truth(Trial& trial) {
  TrialEngine engine(trial);
  const bool claims = engine.supports(TENURE_OP_CAST, std::array{f32, f64});
  const UnaryRun run = run_unary(engine, TENURE_OP_CAST, f32, f64, whole_numbers<float>(), compact);
  trial.expect(run.answer.ok() == claims,
               sentence("supports says ", claims ? "yes" : "no",
                        " to a cast from f32 to f64, which answered ", run.answer.text()));
  trial.expect(!claims || run.output_after == whole_numbers<double>(),
               "a cast from f32 to f64 left wrong values");
}

void refusal_writes_nothing(Trial& trial) {
  TrialEngine engine(trial);
  constexpr std::uint32_t no_such_operation = 0x7fff'fff0;
  const UnaryRun run = run_unary(engine, no_such_operation, f32, f32, whole_numbers<float>(), compact);
  trial.expect(run.answer.code == TENURE_UNIMPLEMENTED || run.answer.code == TENURE_INVALID_ARGUMENT,
               sentence("an operation that no version of the contract has answered ", run.answer.text(),
                        "; expected UNIMPLEMENTED or INVALID_ARGUMENT"));
  trial.expect(run.output_after == run.output_before, "a refused operation changed its output");
}

constexpr std::array rules{
    Rule{.name = "engine.copy",
         .sentence = "An engine copies between any strides.",
         .if_ignored = "Views are computed with wrong values.",
         .advice = "Walk every index of the output.",
         .needs = {"mem.pattern"},
         .check = copy},
    Rule{.name = "engine.fill",
         .sentence = "An engine fills its output with the given value.",
         .if_ignored = "Tensors start with wrong values.",
         .advice = "Take the value's bytes from the attributes, in the dtype that stands there.",
         .needs = {"mem.pattern"},
         .check = fill},
    Rule{.name = "engine.supports-truth",
         .sentence = "supports says yes exactly where execute works.",
         .if_ignored = "The host refuses an operation that would work, or starts one that cannot.",
         .advice = "Decide both with one table.",
         .needs = {"mem.pattern"},
         .check = supports_truth},
    Rule{.name = "engine.refusal-writes-nothing",
         .sentence = "An operation that is refused has written nothing.",
         .if_ignored = "A failed operation destroys what was in its output.",
         .advice = "Check everything before the first byte is written.",
         .needs = {"mem.pattern"},
         .check = refusal_writes_nothing},
};

}  // namespace

std::span<const Rule> engine_rules() noexcept { return rules; }

}  // namespace tenure::probe
