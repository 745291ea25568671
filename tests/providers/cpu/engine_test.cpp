// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "box.hpp"
#include "cpu_plugin.hpp"
#include "program_builder.hpp"
#include "storage.hpp"

namespace cpu_test {
namespace {

// Threads of this process.
std::ptrdiff_t thread_count() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

struct LargeAdd {
  Random random{1};
  std::vector<Box> operands;
  Box out{random, dtype_named("f64"), {400000}};

  LargeAdd() {
    for (int i = 0; i < 2; ++i) operands.emplace_back(random, dtype_named("f64"), Extents{400000});
  }
  std::int32_t run(const Engine& engine) { return run_function(engine, TENURE_FN_ADD, operands, out).code; }
  bool is_right() const {
    for (std::int64_t i = 0; i < out.count(); i += 997) {
      const double sum =
          static_cast<double>(operands[0].get(i).re) + static_cast<double>(operands[1].get(i).re);
      if (!same_number(out.get(i), {sum, 0})) return false;
    }
    return true;
  }
};

}  // namespace

TEST_CASE("Engine: a mode or a number of threads that is none is refused in words") {
  const Instance instance;
  for (const auto& [mode, threads] :
       {std::pair{7u, 1u}, std::pair{std::uint32_t{TENURE_ENGINE_PARALLEL}, 5000u}}) {
    auto options = tenure::abi::make_struct<tenure_engine_options>();
    options.mode = mode;
    options.threads = threads;
    tenure_engine* engine = nullptr;
    auto status = tenure::abi::make_struct<tenure_status>();
    CHECK(instance.engines().engine_create(instance.handle(), &options, &engine, &status) ==
          TENURE_INVALID_ARGUMENT);
    CHECK(engine == nullptr);
    CHECK(status.message[0] != '\0');
  }
}

TEST_CASE("Engine: an unknown family, a wrong number of operands and a stream are refused in words") {
  const Instance instance;
  const Engine engine(instance);
  const std::array<std::int64_t, 1> extents{1};
  double value = 1;
  auto operand = tenure::abi::make_struct<tenure_operand>();
  operand.address = &value;
  operand.extents = extents.data();
  operand.strides = extents.data();
  operand.rank = 1;
  operand.dtype = {TENURE_DTYPE_FLOAT, 64, 1};
  CHECK(engine.execute(99, std::array{operand}).code == TENURE_UNIMPLEMENTED);
  CHECK(engine.execute(99, std::array{operand}).message.find("99") != std::string::npos);
  for (const std::uint32_t family : {TENURE_OP_COPY, TENURE_OP_CAST, TENURE_OP_REDUCE, TENURE_OP_CONTRACT}) {
    CHECK(engine.execute(family, std::array{operand}).code == TENURE_INVALID_ARGUMENT);
  }
  tenure_operand nowhere = operand;
  nowhere.address = nullptr;
  CHECK(engine.execute(TENURE_OP_COPY, std::array{nowhere, operand}).code == TENURE_INVALID_ARGUMENT);

  auto op = tenure::abi::make_struct<tenure_op>();
  op.code = TENURE_OP_COPY;
  auto* const stream = reinterpret_cast<tenure_stream*>(&value);
  CHECK(instance.engines().execute(engine.handle(), &op, stream, nullptr) == TENURE_UNIMPLEMENTED);
}

TEST_CASE("Engine: operands may name a storage instead of an address") {
  const Instance instance;
  const Engine engine(instance);
  const tenure_storage_info info = create(instance, 4 * sizeof(float));
  const std::array<float, 2> source{3, 4};
  const std::array<std::int64_t, 1> extents{2};
  const std::array<std::int64_t, 1> strides{1};
  auto in = tenure::abi::make_struct<tenure_operand>();
  in.address = const_cast<float*>(source.data());
  in.extents = extents.data();
  in.strides = strides.data();
  in.rank = 1;
  in.dtype = {TENURE_DTYPE_FLOAT, 32, 1};
  tenure_operand out = in;
  out.address = nullptr;
  out.storage = info.storage;
  out.offset_bytes = 2 * sizeof(float);
  REQUIRE(engine.execute(TENURE_OP_COPY, std::array{in, out}).code == TENURE_OK);
  CHECK(static_cast<const float*>(info.address)[2] == 3);
  CHECK(static_cast<const float*>(info.address)[3] == 4);
  instance.api().storage_release(instance.handle(), info.storage, nullptr);
}

// Each case is a process of its own under CTest, so this one sees no threads of the others.
TEST_CASE("Serial engine: works without any thread but the caller's") {
  const std::ptrdiff_t before = thread_count();
  const Instance instance;
  const Engine engine(instance);
  LargeAdd add;
  REQUIRE(add.run(engine) == TENURE_OK);
  CHECK(add.is_right());
  auto attributes = tenure::abi::make_struct<tenure_reduce_attributes>();
  attributes.function = TENURE_REDUCE_SUM;
  attributes.axis_mask = 1;
  Box sum(add.random, dtype_named("f64"), {1});
  REQUIRE(
      engine.execute(TENURE_OP_REDUCE, std::array{add.out.operand(1), sum.operand(2)}, &attributes).code ==
      TENURE_OK);
  CHECK(thread_count() == before);
}

TEST_CASE("Parallel engine: creating it starts no thread") {
  const std::ptrdiff_t before = thread_count();
  const Instance instance;
  const Engine engine(instance, TENURE_ENGINE_PARALLEL, 2);
  CHECK(thread_count() == before);
}

TEST_CASE("Parallel engine: many threads may execute at once on one engine") {
  const Instance instance;
  const Engine engine(instance, TENURE_ENGINE_PARALLEL, 2);
  std::vector<std::unique_ptr<LargeAdd>> adds;
  for (int i = 0; i < 4; ++i) adds.push_back(std::make_unique<LargeAdd>());
  {
    std::vector<std::jthread> threads;
    for (const auto& add : adds) {
      threads.emplace_back([&engine, &add] {
        for (int round = 0; round < 8; ++round) add->run(engine);
      });
    }
  }
  for (const auto& add : adds) CHECK(add->is_right());
}

TEST_CASE("Parallel engine: a refused operation leaves it usable") {
  const Instance instance;
  const Engine engine(instance, TENURE_ENGINE_PARALLEL, 2);
  Random random(2);
  std::vector<Box> operands;
  for (int i = 0; i < 2; ++i) operands.emplace_back(random, dtype_named("i32"), Extents{300000});
  for (std::int64_t i = 0; i < operands[1].count(); ++i) operands[1].set(i, {i == 299999 ? 0.0L : 1.0L, 0});
  Box out(random, dtype_named("i32"), {300000});
  CHECK(run_function(engine, TENURE_FN_DIVIDE, operands, out).code == TENURE_INVALID_ARGUMENT);
  operands[1].set(299999, {1, 0});
  CHECK(run_function(engine, TENURE_FN_DIVIDE, operands, out).code == TENURE_OK);
  CHECK(out.bytes() == operands[0].bytes());
}

}  // namespace cpu_test
