// SPDX-License-Identifier: Apache-2.0
// A provider that keeps its storage itself and offers every extension of the contract.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sdk/open_provider.hpp"
#include "tenure/sdk/engine_table.hpp"
#include "tenure/sdk/fault_table.hpp"
#include "tenure/sdk/pool_table.hpp"

namespace sdk = tenure::sdk;

namespace {

constexpr int own_table = 5;

class Workshop {
 public:
  class Pool;
  struct Storage {
    Pool* pool = nullptr;
    std::uint64_t bytes = 0;
    std::uint64_t alignment_bytes = 64;
    std::unique_ptr<char[]> memory;
  };

  // Keeps one block.
  class Pool {
   public:
    explicit Pool(Workshop& owner) : owner_(owner) {}
    Storage& acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) {
      last_alignment_bytes = alignment_bytes;
      Storage& storage = idle_ ? *idle_.release() : *owner_.create(0, {bytes, 64, false});
      storage.pool = this;
      return storage;
    }
    void give_back(Storage& storage) {
      if (storage.pool != this) throw sdk::Error(TENURE_INVALID_ARGUMENT, "another pool made this block");
      idle_.reset(&storage);
    }
    tenure_pool_statistics statistics() const {
      auto statistics = tenure::abi::make_struct<tenure_pool_statistics>();
      statistics.buffers = idle_ ? 1 : 0;
      return statistics;
    }
    std::uint64_t trim(std::uint64_t) noexcept {
      const std::uint64_t bytes = idle_ ? idle_->bytes : 0;
      idle_.reset();
      return bytes;
    }
    sdk::FaultList& faults() noexcept { return owner_.faults_; }

    std::uint64_t last_alignment_bytes = 0;

   private:
    Workshop& owner_;
    std::unique_ptr<Storage> idle_;
  };

  // Writes the operand count into the first operand.
  class Engine {
   public:
    bool supports(std::uint32_t code, std::uint32_t, std::span<const tenure_dtype> dtypes) const noexcept {
      return code == TENURE_OP_FILL && dtypes.size() == 1;
    }
    void execute(const sdk::Operation& operation, tenure_stream*) {
      if (operation.code() != TENURE_OP_FILL) throw sdk::Error(TENURE_UNIMPLEMENTED, "only fill");
      const auto attributes = operation.attributes<tenure_fill_attributes>();
      const tenure_operand last = operation.operand(operation.operand_count() - 1);
      *static_cast<std::uint8_t*>(last.address) = attributes.value.value[0];
    }
  };

  Workshop(const sdk::Host& host, sdk::OpenOptions&) : host_(host) {}

  std::vector<sdk::Domain> domains() const {
    return {
        {.name = "workshop:0/shared", .memory = TENURE_MEMORY_SHARED, .access = sdk::coherent_host_access}};
  }
  Storage* create(std::uint64_t, const sdk::StorageRequest& request) {
    last_request = request;
    return new Storage{nullptr, request.bytes, request.alignment_bytes,
                       std::make_unique<char[]>(request.bytes)};
  }
  void release(Storage& storage, tenure_stream* stream) noexcept {
    last_stream = stream;
    if (storage.pool != nullptr) return storage.pool->give_back(storage);
    delete &storage;
  }
  void* map(Storage& storage, std::uint32_t) { return storage.memory.get(); }
  static sdk::StorageFacts facts(const Storage& storage) noexcept {
    return {
        .address = storage.memory.get(), .bytes = storage.bytes, .alignment_bytes = 64, .allocation_id = 9};
  }
  std::uint64_t trim(std::uint64_t domain, std::uint64_t retained_bytes) noexcept {
    return domain + retained_bytes;
  }
  const void* extension(std::string_view id) noexcept {
    return id == "org.tenure.own" ? &own_table : nullptr;
  }
  std::unique_ptr<Pool> create_pool(std::uint64_t, const tenure_pool_options& options) {
    if (options.mode > TENURE_POOL_BYPASS) throw sdk::Error(TENURE_INVALID_ARGUMENT, "no such mode");
    return std::make_unique<Pool>(*this);
  }
  void detach(Storage& storage) noexcept { storage.pool = nullptr; }
  void thread_exit(std::uint32_t thread_index) noexcept { last_thread = thread_index; }
  std::unique_ptr<Engine> create_engine(const tenure_engine_options& options) {
    if (options.mode == TENURE_ENGINE_PARALLEL) throw sdk::Error(TENURE_UNIMPLEMENTED, "serial only");
    return std::make_unique<Engine>();
  }
  sdk::FaultList& faults() noexcept { return faults_; }

  sdk::StorageRequest last_request;
  tenure_stream* last_stream = nullptr;
  std::uint32_t last_thread = 0;

 private:
  sdk::Host host_;
  sdk::FaultList faults_;
};

using OpenWorkshop = tenure_test::OpenProvider<Workshop>;

tenure_fault_script script(std::uint32_t function, std::uint32_t effect, std::uint64_t skip_calls = 0,
                           std::uint64_t fail_calls = 1) {
  auto script = tenure::abi::make_struct<tenure_fault_script>();
  script.function = function;
  script.effect = effect;
  script.code = TENURE_ABORTED;
  script.skip_calls = skip_calls;
  script.fail_calls = fail_calls;
  return script;
}

}  // namespace

TEST_CASE("Instance: a storage that the class keeps is the handle itself") {
  OpenWorkshop workshop;
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  REQUIRE(workshop.create(100, info, 0, TENURE_STORAGE_ZERO) == TENURE_OK);

  CHECK(workshop.provider().last_request.zero);
  CHECK(workshop.provider().last_request.alignment_bytes == 64);
  CHECK(info.address == reinterpret_cast<Workshop::Storage*>(info.storage)->memory.get());
  CHECK(info.allocation_id == 9);
  auto* const stream = reinterpret_cast<tenure_stream*>(&workshop);
  workshop->storage_release(workshop.instance, info.storage, stream);
  CHECK(workshop.provider().last_stream == stream);
  workshop->storage_release(workshop.instance, nullptr, nullptr);
}

TEST_CASE("Instance: statistics that nobody keeps are unimplemented and trim is the class's") {
  OpenWorkshop workshop;
  auto out = tenure::abi::make_struct<tenure_domain_statistics>();
  CHECK(workshop->domain_statistics(workshop.instance, 0, &out, nullptr) == TENURE_UNIMPLEMENTED);
  CHECK(workshop->trim(workshop.instance, 0, 5) == 5);
  CHECK(workshop->trim(workshop.instance, 1, 5) == 0);
}

TEST_CASE("get_extension: exact ids only, and the class's own tables") {
  OpenWorkshop workshop;
  CHECK(workshop.extension<tenure_pool_api>(TENURE_EXT_POOL) != nullptr);
  CHECK(workshop.extension<tenure_engine_api>(TENURE_EXT_ENGINE) != nullptr);
  CHECK(workshop.extension<tenure_fault_api>(TENURE_EXT_FAULT) != nullptr);
  CHECK(workshop.extension<int>("org.tenure.own") == &own_table);
  CHECK(workshop.extension<void>("tenure.ext.pool/1 ") == nullptr);
  CHECK(workshop.extension<void>("tenure.ext.pool/") == nullptr);
  CHECK(workshop.extension<void>("") == nullptr);
  CHECK(workshop.extension<void>(nullptr) == nullptr);
}

TEST_CASE("PoolTable: a released block comes back and a detached one does not") {
  OpenWorkshop workshop;
  const auto* api = workshop.extension<tenure_pool_api>(TENURE_EXT_POOL);
  const auto options = tenure::abi::make_struct<tenure_pool_options>();
  tenure_pool* pool = nullptr;
  REQUIRE(api->pool_create(workshop.instance, 0, &options, &pool, nullptr) == TENURE_OK);
  auto first = tenure::abi::make_struct<tenure_storage_info>();
  REQUIRE(api->acquire(pool, 100, 0, &first, nullptr) == TENURE_OK);
  CHECK(reinterpret_cast<Workshop::Pool*>(pool)->last_alignment_bytes == 1);
  CHECK(first.bytes == 100);
  workshop.release(first);

  auto statistics = tenure::abi::make_struct<tenure_pool_statistics>();
  REQUIRE(api->statistics(pool, &statistics, nullptr) == TENURE_OK);
  CHECK(statistics.buffers == 1);
  auto second = tenure::abi::make_struct<tenure_storage_info>();
  REQUIRE(api->acquire(pool, 100, 64, &second, nullptr) == TENURE_OK);
  CHECK(second.storage == first.storage);
  api->detach(workshop.instance, second.storage);
  CHECK(api->give_back(pool, second.storage, &workshop.status) == TENURE_INVALID_ARGUMENT);
  workshop.release(second);
  CHECK(api->trim(pool, 0) == 0);
  api->thread_exit(workshop.instance, 3);
  CHECK(workshop.provider().last_thread == 3);
  api->pool_release(pool);
}

TEST_CASE("PoolTable: what can never be right is refused and leaves the output alone") {
  OpenWorkshop workshop;
  const auto* api = workshop.extension<tenure_pool_api>(TENURE_EXT_POOL);
  auto options = tenure::abi::make_struct<tenure_pool_options>();
  tenure_pool* pool = nullptr;

  CHECK(api->pool_create(workshop.instance, 1, &options, &pool, nullptr) == TENURE_OUT_OF_RANGE);
  CHECK(api->pool_create(workshop.instance, 0, nullptr, &pool, nullptr) == TENURE_INVALID_ARGUMENT);
  options.mode = 99;
  CHECK(api->pool_create(workshop.instance, 0, &options, &pool, nullptr) == TENURE_INVALID_ARGUMENT);
  CHECK(pool == nullptr);
  options.mode = TENURE_POOL_COUNT;
  REQUIRE(api->pool_create(workshop.instance, 0, &options, &pool, nullptr) == TENURE_OK);
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  CHECK(api->acquire(pool, 8, 3, &info, &workshop.status) == TENURE_INVALID_ARGUMENT);
  CHECK(std::string_view(workshop.status.message) == "alignment_bytes is 3; expected a power of two");
  CHECK(api->acquire(pool, 8, 64, nullptr, nullptr) == TENURE_INVALID_ARGUMENT);
  CHECK(info.storage == nullptr);
  api->pool_release(pool);
}

TEST_CASE("PoolTable: acquire fills a shorter output as far as it goes") {
  OpenWorkshop workshop;
  const auto* api = workshop.extension<tenure_pool_api>(TENURE_EXT_POOL);
  const auto options = tenure::abi::make_struct<tenure_pool_options>();
  tenure_pool* pool = nullptr;
  REQUIRE(api->pool_create(workshop.instance, 0, &options, &pool, nullptr) == TENURE_OK);
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  info.head.bytes = offsetof(tenure_storage_info, bytes);
  info.bytes = 77;

  REQUIRE(api->acquire(pool, 8, 64, &info, nullptr) == TENURE_OK);
  CHECK(info.address != nullptr);
  CHECK(info.bytes == 77);
  workshop.release(info);
  api->pool_release(pool);
}

TEST_CASE("EngineTable: an operation reaches the engine with operands of any stride") {
  OpenWorkshop workshop;
  const auto* api = workshop.extension<tenure_engine_api>(TENURE_EXT_ENGINE);
  auto options = tenure::abi::make_struct<tenure_engine_options>();
  tenure_engine* engine = nullptr;
  options.mode = TENURE_ENGINE_PARALLEL;
  CHECK(api->engine_create(workshop.instance, &options, &engine, nullptr) == TENURE_UNIMPLEMENTED);
  options.mode = TENURE_ENGINE_SERIAL;
  REQUIRE(api->engine_create(workshop.instance, &options, &engine, nullptr) == TENURE_OK);
  const tenure_dtype dtype{TENURE_DTYPE_UINT, 8, 1};
  CHECK(api->supports(engine, TENURE_OP_FILL, 0, &dtype, 1) == 1);
  CHECK(api->supports(engine, TENURE_OP_COPY, 0, &dtype, 1) == 0);

  // Operands of a caller whose struct is longer than ours.
  struct LongOperand {
    tenure_operand operand = tenure::abi::make_struct<tenure_operand>();
    std::uint64_t newer = 1;
  };
  std::uint8_t byte = 0;
  std::vector<LongOperand> operands(2);
  operands[1].operand.address = &byte;
  auto attributes = tenure::abi::make_struct<tenure_fill_attributes>();
  attributes.value.value[0] = 42;
  auto op = tenure::abi::make_struct<tenure_op>();
  op.code = TENURE_OP_FILL;
  op.operand_count = 2;
  op.operands = &operands[0].operand;
  op.operand_stride_bytes = sizeof(LongOperand);
  op.attributes = &attributes;
  CHECK(api->execute(engine, &op, nullptr, &workshop.status) == TENURE_OK);
  CHECK(byte == 42);

  attributes.head.kind = TENURE_KIND_REDUCE_ATTRIBUTES;
  CHECK(api->execute(engine, &op, nullptr, nullptr) == TENURE_INVALID_ARGUMENT);
  op.operand_stride_bytes = 8;
  CHECK(api->execute(engine, &op, nullptr, nullptr) == TENURE_INVALID_ARGUMENT);
  CHECK(api->execute(engine, nullptr, nullptr, nullptr) == TENURE_INVALID_ARGUMENT);
  api->engine_release(engine);
}

TEST_CASE("FaultList: skips, then fails, then works again, and the first script that matches is obeyed") {
  sdk::FaultList faults;
  faults.add(script(TENURE_FAULT_COPY, TENURE_FAULT_FAIL, 2, 1));
  faults.add(script(TENURE_FAULT_COPY, TENURE_FAULT_NULL_ADDRESS, 3, 1));

  CHECK(faults.obey(TENURE_FAULT_COPY) == 0);
  CHECK(faults.obey(TENURE_FAULT_FILL) == 0);
  CHECK(faults.obey(TENURE_FAULT_COPY) == 0);
  CHECK_THROWS_AS(faults.obey(TENURE_FAULT_COPY), sdk::Error);
  CHECK(faults.obey(TENURE_FAULT_COPY) == 0);
  CHECK(faults.obey(TENURE_FAULT_COPY) == TENURE_FAULT_NULL_ADDRESS);
  CHECK(faults.obey(TENURE_FAULT_COPY) == 0);

  faults.add(script(TENURE_FAULT_FILL, TENURE_FAULT_FAIL, 0, UINT64_MAX));
  for (int i = 0; i < 3; ++i) CHECK_THROWS_AS(faults.obey(TENURE_FAULT_FILL), sdk::Error);
  faults.clear();
  CHECK(faults.obey(TENURE_FAULT_FILL) == 0);
}

TEST_CASE("FaultList: a script for no function or no effect is refused") {
  sdk::FaultList faults;
  CHECK_THROWS_AS(faults.add(script(0, TENURE_FAULT_FAIL)), sdk::Error);
  CHECK_THROWS_AS(faults.add(script(99, TENURE_FAULT_FAIL)), sdk::Error);
  CHECK_THROWS_AS(faults.add(script(TENURE_FAULT_COPY, 0)), sdk::Error);
  CHECK_THROWS_AS(faults.add(script(TENURE_FAULT_COPY, 99)), sdk::Error);
}

TEST_CASE("FaultTable: each ordered effect shows at the table") {
  OpenWorkshop workshop;
  const auto* api = workshop.extension<tenure_fault_api>(TENURE_EXT_FAULT);
  const auto order = [&](std::uint32_t function, std::uint32_t effect) {
    const auto one = script(function, effect);
    REQUIRE(api->fault_add(workshop.instance, &one, nullptr) == TENURE_OK);
  };
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  auto mapping = tenure::abi::make_struct<tenure_mapping>();
  const auto map = [&] {
    return workshop->storage_map(workshop.instance, info.storage, TENURE_ACCESS_HOST_READ, &mapping, nullptr);
  };

  order(TENURE_FAULT_STORAGE_CREATE, TENURE_FAULT_FAIL);
  CHECK(workshop.create(64, info) == TENURE_ABORTED);
  CHECK(info.storage == nullptr);
  order(TENURE_FAULT_STORAGE_CREATE, TENURE_FAULT_MISALIGNED);
  REQUIRE(workshop.create(64, info) == TENURE_OK);
  CHECK(reinterpret_cast<std::uintptr_t>(info.address) % 2 == 1);
  order(TENURE_FAULT_STORAGE_MAP, TENURE_FAULT_FAIL);
  CHECK(map() == TENURE_ABORTED);
  order(TENURE_FAULT_STORAGE_MAP, TENURE_FAULT_SHORT_MAPPING);
  REQUIRE(map() == TENURE_OK);
  CHECK(mapping.bytes == 63);
  order(TENURE_FAULT_STORAGE_MAP, TENURE_FAULT_NULL_ADDRESS);
  REQUIRE(map() == TENURE_OK);
  CHECK(mapping.address == nullptr);
  order(TENURE_FAULT_STORAGE_MAP, TENURE_FAULT_MISALIGNED);
  REQUIRE(map() == TENURE_OK);
  CHECK(reinterpret_cast<std::uintptr_t>(mapping.address) % 2 == 1);
  order(TENURE_FAULT_COPY, TENURE_FAULT_FAIL);
  auto copy = tenure::abi::make_struct<tenure_copy_desc>();
  CHECK(workshop->copy(workshop.instance, &copy, nullptr, nullptr) == TENURE_ABORTED);
  order(TENURE_FAULT_FILL, TENURE_FAULT_FAIL);
  auto fill = tenure::abi::make_struct<tenure_fill_desc>();
  CHECK(workshop->fill(workshop.instance, &fill, nullptr, nullptr) == TENURE_ABORTED);
  order(TENURE_FAULT_POOL_ACQUIRE, TENURE_FAULT_FAIL);
  const auto* pools = workshop.extension<tenure_pool_api>(TENURE_EXT_POOL);
  const auto options = tenure::abi::make_struct<tenure_pool_options>();
  tenure_pool* pool = nullptr;
  REQUIRE(pools->pool_create(workshop.instance, 0, &options, &pool, nullptr) == TENURE_OK);
  auto block = tenure::abi::make_struct<tenure_storage_info>();
  CHECK(pools->acquire(pool, 64, 64, &block, nullptr) == TENURE_ABORTED);
  pools->pool_release(pool);
  order(TENURE_FAULT_FILL, TENURE_FAULT_FAIL);
  api->fault_clear(workshop.instance);
  CHECK(workshop->fill(workshop.instance, &fill, nullptr, nullptr) == TENURE_INVALID_ARGUMENT);
  workshop.release(info);
}
