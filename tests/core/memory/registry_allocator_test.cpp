// SPDX-License-Identifier: Apache-2.0
// Registry::allocator and Registry::allocate over the providers as a user loads them.
#include <doctest/doctest.h>

#include "support/caught.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/loader/device.hpp"
#include "tenure/loader/registry.hpp"
#include "tenure/memory/allocation_domain.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;

namespace {

const LoadOptions from_build{.policy = PathPolicy::off, .alias = {}};

}  // namespace

TEST_CASE("Registry::allocator: a registry that loaded nothing says so") {
  const Registry registry;
  const auto error = caught<ProviderError>([&] { return registry.allocator(DeviceType::cpu); });
  CHECK(error.status_code() == TENURE_NOT_FOUND);
  CHECK(error.operation() == "Registry::allocator");
  CHECK(contains(error.what(), "device of type cpu (1)"));
  CHECK(contains(error.what(), "loaded are none"));
}

TEST_CASE("Registry::allocator: opens nothing, and names what is loaded") {
  Registry registry;
  const Provider cpu = registry.load(TENURE_TEST_CPU_PROVIDER, from_build);
  CHECK(contains(caught<ProviderError>([&] { return registry.allocator(DeviceType::cpu); }).what(),
                 "org.tenure.cpu, which is not open"));
  const Instance instance = cpu.open();
  CHECK(registry.allocator(DeviceType::cpu) == instance.default_domain());
  const auto error = caught<ProviderError>([&] { return registry.allocator(DeviceType::cuda); });
  CHECK(contains(error.what(), "device of type cuda (2)"));
  CHECK(contains(error.what(), "org.tenure.cpu with cpu:0"));
  CHECK_THROWS_AS(Registry().allocator(DeviceType::cpu), ProviderError);
}

TEST_CASE("Registry::allocator: each type has its provider, and the instance that was opened first") {
  Registry registry;
  const Provider cpu = registry.load(TENURE_TEST_CPU_PROVIDER, from_build);
  const Provider fake = registry.load(TENURE_TEST_FAKE_PROVIDER, from_build);
  Instance first = fake.open();
  const Instance second = fake.open();
  const Instance on_host = cpu.open();
  CHECK(registry.allocator(DeviceType::extension) == first.default_domain());
  CHECK(registry.allocator(DeviceType::cpu) == on_host.default_domain());
  first.close();
  CHECK(registry.allocator(DeviceType::extension) == second.default_domain());
}

TEST_CASE("Registry::allocate: makes storage where the device keeps its tensors") {
  Registry registry;
  const Instance instance = registry.load(TENURE_TEST_FAKE_PROVIDER, from_build).open();
  const Storage storage = registry.allocate(256, {DeviceType::extension, 0});
  CHECK(storage.bytes() == 256);
  CHECK(storage.record() != nullptr);
  const auto error = caught<ProviderError>([&] {
    return registry.allocate(256, {DeviceType::extension, 7});
  });
  CHECK(error.operation() == "Registry::allocate");
  CHECK(contains(error.what(), "of type extension (12) and number 7"));
  CHECK(contains(error.what(), "with fake:0"));
}

TEST_CASE("device_type_name: every type has its name and another number is unknown") {
  CHECK(device_type_name(DeviceType::cpu) == "cpu");
  CHECK(device_type_name(DeviceType::cuda) == "cuda");
  CHECK(device_type_name(DeviceType::vulkan) == "vulkan");
  CHECK(device_type_name(DeviceType::metal) == "metal");
  CHECK(device_type_name(DeviceType::rocm) == "rocm");
  CHECK(device_type_name(DeviceType::extension) == "extension");
  CHECK(device_type_name(DeviceType::one_api) == "one_api");
  CHECK(device_type_name(DeviceType::webgpu) == "webgpu");
  CHECK(device_type_name(static_cast<DeviceType>(99)) == "unknown");
}
