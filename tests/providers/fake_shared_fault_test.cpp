// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>

#include "providers/fake_shared.hpp"
#include "providers/test_pool.hpp"
#include "tenure/provider_fault.h"

using namespace tenure_test;

namespace {

// Orders faults of one instance.
class Faults {
 public:
  explicit Faults(const OpenInstance& instance)
      : instance_(instance), api_(*instance.extension<tenure_fault_api>(TENURE_EXT_FAULT)) {}

  std::int32_t add(std::uint32_t function, std::uint32_t effect, std::uint64_t skip_calls,
                   std::uint64_t fail_calls, CallStatus& status) {
    auto script = tenure::abi::make_struct<tenure_fault_script>();
    script.function = function;
    script.effect = effect;
    script.code = TENURE_ABORTED;
    script.skip_calls = skip_calls;
    script.fail_calls = fail_calls;
    return api_.fault_add(instance_.handle(), &script, status.get());
  }
  void order(std::uint32_t function, std::uint32_t effect, std::uint64_t skip_calls = 0,
             std::uint64_t fail_calls = 1) {
    CallStatus status;
    REQUIRE_OK(status, add(function, effect, skip_calls, fail_calls, status));
  }
  void clear() { api_.fault_clear(instance_.handle()); }

 private:
  const OpenInstance& instance_;
  const tenure_fault_api& api_;
};

std::int32_t try_create(const OpenInstance& instance, tenure_storage_info& info, CallStatus& status) {
  auto desc = tenure::abi::make_struct<tenure_storage_desc>();
  desc.bytes = 64;
  info = tenure::abi::make_struct<tenure_storage_info>();
  return instance.api().storage_create(instance.handle(), 0, &desc, &info, status.get());
}

bool creates(const OpenInstance& instance) {
  tenure_storage_info info;
  CallStatus status;
  if (try_create(instance, info, status) != TENURE_OK) return false;
  instance.release(info.storage);
  return true;
}

std::uint64_t failed_calls(const OpenInstance& instance) {
  auto statistics = tenure::abi::make_struct<tenure_domain_statistics>();
  CallStatus status;
  REQUIRE_OK(status, instance.api().domain_statistics(instance.handle(), 0, &statistics, status.get()));
  return statistics.failed_calls;
}

}  // namespace

TEST_CASE("fake_shared fault: a create and an import that the test lets fail count as refused") {
  const OpenInstance instance(fake_shared());
  Faults faults(instance);
  tenure_storage_info info;
  CallStatus status;

  faults.order(TENURE_FAULT_STORAGE_CREATE, TENURE_FAULT_FAIL);
  CHECK_REFUSED(TENURE_ABORTED, "ordered", status, try_create(instance, info, status));
  CHECK(failed_calls(instance) == 1);

  std::byte memory[64] = {};
  auto desc = tenure::abi::make_struct<tenure_import_desc>();
  desc.address = memory;
  desc.bytes = sizeof memory;
  info = tenure::abi::make_struct<tenure_storage_info>();
  faults.order(TENURE_FAULT_STORAGE_IMPORT, TENURE_FAULT_FAIL);
  CHECK_REFUSED(TENURE_ABORTED, "ordered", status,
                instance.api().storage_import(instance.handle(), 0, &desc, &info, status.get()));
  CHECK(failed_calls(instance) == 2);
}

TEST_CASE(
    "fake_shared fault: each function fails with the ordered code when its turn comes, and works again") {
  const OpenInstance instance(fake_shared());
  Faults faults(instance);
  const TestPool pool(instance, 0);
  const auto made = instance.create(0, 64);
  std::byte host[64] = {};
  CallStatus status;
  tenure_storage_info info;

  const auto fails_once = [&](std::uint32_t function, auto&& call) {
    CAPTURE(function);
    faults.order(function, TENURE_FAULT_FAIL);
    CHECK_REFUSED(TENURE_ABORTED, "ordered", status, call());
    CHECK(call() == TENURE_OK);
  };
  fails_once(TENURE_FAULT_STORAGE_CREATE, [&] {
    const std::int32_t code = try_create(instance, info, status);
    CHECK((info.storage != nullptr) == (code == TENURE_OK));
    if (code == TENURE_OK) instance.release(info.storage);
    return code;
  });
  fails_once(TENURE_FAULT_STORAGE_MAP, [&] {
    auto mapping = tenure::abi::make_struct<tenure_mapping>();
    const std::int32_t code =
        instance.api().storage_map(instance.handle(), made.storage, host_read, &mapping, status.get());
    if (code == TENURE_OK) instance.unmap(made.storage, host_read);
    return code;
  });
  fails_once(TENURE_FAULT_COPY,
             [&] { return instance.copy_bytes(place_of(host), place_of(made.storage), 64, status); });
  fails_once(TENURE_FAULT_FILL, [&] {
    auto desc = tenure::abi::make_struct<tenure_fill_desc>();
    desc.storage = made.storage;
    desc.bytes = 64;
    desc.pattern_bytes = 1;
    return instance.api().fill(instance.handle(), &desc, nullptr, status.get());
  });
  fails_once(TENURE_FAULT_POOL_ACQUIRE, [&] {
    info = tenure::abi::make_struct<tenure_storage_info>();
    const std::int32_t code = pool.api().acquire(pool.handle(), 64, 0, &info, status.get());
    if (code == TENURE_OK) instance.release(info.storage);
    return code;
  });
  fails_once(TENURE_FAULT_STORAGE_IMPORT, [&] {
    auto desc = tenure::abi::make_struct<tenure_import_desc>();
    desc.address = host;
    desc.bytes = sizeof host;
    const std::int32_t code = instance.import_memory(0, desc, info, status);
    if (code == TENURE_OK) instance.release(info.storage);
    return code;
  });
  instance.release(made.storage);
}

TEST_CASE("fake_shared fault: a script lets calls work, then fails some, then lets calls work again") {
  const OpenInstance instance(fake_shared());
  Faults faults(instance);
  faults.order(TENURE_FAULT_STORAGE_CREATE, TENURE_FAULT_FAIL, 2, 3);
  for (const bool works : {true, true, false, false, false, true, true}) CHECK(creates(instance) == works);
}

TEST_CASE("fake_shared fault: a script without an end lasts until it is cleared") {
  const OpenInstance instance(fake_shared());
  const OpenInstance other(fake_shared());
  Faults faults(instance);
  faults.order(TENURE_FAULT_STORAGE_CREATE, TENURE_FAULT_FAIL, 0, UINT64_MAX);
  for (int call = 0; call < 5; ++call) CHECK_FALSE(creates(instance));
  CHECK(creates(other));
  faults.clear();
  CHECK(creates(instance));
}

TEST_CASE("fake_shared fault: a mapping can be short, misaligned or nowhere, and is one nevertheless") {
  const OpenInstance instance(fake_shared());
  Faults faults(instance);
  for (const auto name : {managed, noncoherent}) {
    CAPTURE(name);
    const auto made = instance.create(instance.domain(name), 64);
    faults.order(TENURE_FAULT_STORAGE_MAP, TENURE_FAULT_SHORT_MAPPING);
    CHECK(instance.map(made.storage, host_read).bytes == made.bytes - 1);
    instance.unmap(made.storage, host_read);
    faults.order(TENURE_FAULT_STORAGE_MAP, TENURE_FAULT_MISALIGNED);
    CHECK(reinterpret_cast<std::uintptr_t>(instance.map(made.storage, host_read).address) % 64 == 1);
    instance.unmap(made.storage, host_read);
    faults.order(TENURE_FAULT_STORAGE_MAP, TENURE_FAULT_NULL_ADDRESS);
    CHECK(instance.map(made.storage, host_read).address == nullptr);
    instance.unmap(made.storage, host_read);
    // No map is left over: a write map would be excluded.
    instance.map(made.storage, host_write);
    instance.unmap(made.storage, host_write);
    instance.release(made.storage);
  }
}

TEST_CASE("fake_shared fault: a coherent storage can be made with a misaligned address") {
  const OpenInstance instance(fake_shared());
  Faults faults(instance);
  faults.order(TENURE_FAULT_STORAGE_CREATE, TENURE_FAULT_MISALIGNED);
  const auto made = instance.create(0, 64);
  CHECK(reinterpret_cast<std::uintptr_t>(made.address) % 64 == 1);
  instance.release(made.storage);
}

TEST_CASE("fake_shared fault: a script for no function or with no effect is refused") {
  const OpenInstance instance(fake_shared());
  Faults faults(instance);
  CallStatus status;
  CHECK(faults.add(0, TENURE_FAULT_FAIL, 0, 1, status) == TENURE_INVALID_ARGUMENT);
  CHECK(faults.add(TENURE_FAULT_COPY, 99, 0, 1, status) == TENURE_INVALID_ARGUMENT);
  CHECK(creates(instance));
}
