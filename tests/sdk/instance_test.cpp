// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/instance.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>

#include "sdk/open_provider.hpp"
#include "sdk/shelf.hpp"

namespace sdk = tenure::sdk;
using tenure_test::OpenProvider;
using tenure_test::Shelf;

namespace {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

TEST_CASE("Instance: devices and domains are reported as the class names them") {
  OpenProvider<Shelf> shelf;
  auto device = tenure::abi::make_struct<tenure_device_info>();
  auto domain = tenure::abi::make_struct<tenure_domain_info>();

  CHECK(shelf->device_count(shelf.instance) == 1);
  REQUIRE(shelf->device_info(shelf.instance, 0, &device, nullptr) == TENURE_OK);
  CHECK(sdk::to_view(device.name) == "shelf:0");
  CHECK(device.default_domain == 0);
  CHECK(shelf->domain_count(shelf.instance) == 4);
  REQUIRE(shelf->domain_info(shelf.instance, Shelf::managed, &domain, nullptr) == TENURE_OK);
  CHECK(sdk::to_view(domain.name) == "shelf:0/managed");
  CHECK(domain.memory == TENURE_MEMORY_MANAGED);
  CHECK(domain.alignment_bytes_min == 256);
  CHECK(domain.numa_node == -1);
}

TEST_CASE("Instance: an index that is none is out of range and leaves the output alone") {
  OpenProvider<Shelf> shelf;
  auto device = tenure::abi::make_struct<tenure_device_info>();
  auto domain = tenure::abi::make_struct<tenure_domain_info>();
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  auto statistics = tenure::abi::make_struct<tenure_domain_statistics>();
  domain.quota_bytes = 5;
  info.bytes = 5;

  CHECK(shelf->device_info(shelf.instance, 1, &device, &shelf.status) == TENURE_OUT_OF_RANGE);
  CHECK(shelf->domain_info(shelf.instance, 4, &domain, &shelf.status) == TENURE_OUT_OF_RANGE);
  CHECK(std::string_view(shelf.status.message) == "there is no domain 4; this instance has 4");
  CHECK(shelf.create(1, info, 0, 0, TENURE_DOMAIN_HOST) == TENURE_OUT_OF_RANGE);
  CHECK(shelf->domain_statistics(shelf.instance, 9, &statistics, nullptr) == TENURE_OUT_OF_RANGE);
  CHECK(domain.quota_bytes == 5);
  CHECK(info.bytes == 5);
  CHECK(shelf->trim(shelf.instance, 0, 0) == 0);
}

TEST_CASE("Instance: create keeps every alignment and asks the class for at least a byte") {
  OpenProvider<Shelf> shelf;
  for (std::uint64_t alignment = 1; alignment <= 65536; alignment *= 2) {
    CAPTURE(alignment);
    auto info = tenure::abi::make_struct<tenure_storage_info>();
    REQUIRE(shelf.create(0, info, alignment, 0, Shelf::managed) == TENURE_OK);
    CHECK(shelf.provider().last_request.bytes == 1);
    CHECK(info.bytes == 0);
    CHECK(info.address != nullptr);
    CHECK(number(info.address) % alignment == 0);
    CHECK(number(info.address) % 256 == 0);
    CHECK(info.alignment_bytes == std::max<std::uint64_t>(alignment, 256));
    shelf.release(info);
  }
  CHECK(shelf.provider().alive == 0);
}

TEST_CASE("Instance: requests that can never be right are refused before the class sees them") {
  OpenProvider<Shelf> shelf;
  auto info = tenure::abi::make_struct<tenure_storage_info>();

  CHECK(shelf.create(8, info, 3) == TENURE_INVALID_ARGUMENT);
  CHECK(shelf.create(8, info, 0, 2) == TENURE_INVALID_ARGUMENT);
  CHECK(shelf.create(UINT64_MAX, info) == TENURE_RESOURCE_EXHAUSTED);
  CHECK(shelf.create((1u << 20) + 1, info, 0, 0, Shelf::managed) == TENURE_RESOURCE_EXHAUSTED);
  CHECK(info.storage == nullptr);
  CHECK(shelf.provider().alive == 0);
  CHECK(shelf.statistics().failed_calls == 3);
  CHECK(shelf.statistics(Shelf::managed).failed_calls == 1);
}

TEST_CASE("Instance: a refusal of the class is counted and leaves the instance usable") {
  OpenProvider<Shelf> shelf;
  auto info = tenure::abi::make_struct<tenure_storage_info>();

  CHECK(shelf.create(Shelf::refused_bytes, info) == TENURE_RESOURCE_EXHAUSTED);
  CHECK(shelf.statistics().failed_calls == 1);
  CHECK(shelf.statistics().create_calls == 0);
  shelf.release(shelf.made(64));
  CHECK(shelf.statistics().peak_bytes == 64);
}

TEST_CASE("Instance: the zero flag zeroes coherent and mapped memory") {
  OpenProvider<Shelf> shelf;
  for (const std::uint64_t domain : {Shelf::pageable, Shelf::managed, Shelf::mapped}) {
    auto info = tenure::abi::make_struct<tenure_storage_info>();
    REQUIRE(shelf.create(1000, info, 0, TENURE_STORAGE_ZERO, domain) == TENURE_OK);
    auto mapping = tenure::abi::make_struct<tenure_mapping>();
    REQUIRE(shelf->storage_map(shelf.instance, info.storage, TENURE_ACCESS_HOST_READ, &mapping, nullptr) ==
            TENURE_OK);
    const std::array<char, 1000> zeros{};
    CHECK(std::memcmp(mapping.address, zeros.data(), zeros.size()) == 0);
    shelf->storage_unmap(shelf.instance, info.storage, TENURE_ACCESS_HOST_READ);
    shelf.release(info);
  }
}

TEST_CASE("Instance: what fails after the class has made its part gives it back") {
  OpenProvider<Shelf> shelf;
  auto info = tenure::abi::make_struct<tenure_storage_info>();

  CHECK(shelf.create(64, info, 0, TENURE_STORAGE_ZERO, Shelf::device) == TENURE_FAILED_PRECONDITION);
  CHECK(shelf.provider().alive == 0);
  shelf.provider().maps_fail = true;
  CHECK(shelf.create(64, info) == TENURE_INTERNAL);
  CHECK(shelf.provider().alive == 0);
  CHECK(info.storage == nullptr);
  CHECK(shelf.statistics().live_count == 0);
}

TEST_CASE("Instance: pageable memory has no identity and other memory never reuses one") {
  OpenProvider<Shelf> shelf;
  const auto plain = shelf.made(8, Shelf::pageable);
  const auto first = shelf.made(8, Shelf::managed);
  shelf.release(first);
  const auto second = shelf.made(8, Shelf::managed);

  CHECK(plain.allocation_id == 0);
  CHECK(first.allocation_id != 0);
  CHECK(second.allocation_id != 0);
  CHECK(first.allocation_id != second.allocation_id);
  shelf.release(plain);
  shelf.release(second);
}

TEST_CASE("Instance: only coherent memory shows its address, and it is mapped once") {
  OpenProvider<Shelf> shelf;
  const auto coherent = shelf.made(64, Shelf::managed);
  CHECK(coherent.address != nullptr);
  CHECK(shelf.provider().map_calls == 1);
  auto mapping = tenure::abi::make_struct<tenure_mapping>();
  REQUIRE(shelf->storage_map(shelf.instance, coherent.storage, TENURE_ACCESS_HOST_WRITE, &mapping, nullptr) ==
          TENURE_OK);
  CHECK(mapping.address == coherent.address);
  CHECK(mapping.bytes == 64);
  shelf->storage_unmap(shelf.instance, coherent.storage, TENURE_ACCESS_HOST_WRITE);
  CHECK(shelf.provider().map_calls == 1);
  CHECK(shelf.provider().unmap_calls == 0);

  const auto mapped = shelf.made(64, Shelf::mapped);
  CHECK(mapped.address == nullptr);
  REQUIRE(shelf->storage_map(shelf.instance, mapped.storage, TENURE_ACCESS_HOST_WRITE, &mapping, nullptr) ==
          TENURE_OK);
  CHECK(mapping.address != nullptr);
  shelf->storage_unmap(shelf.instance, mapped.storage, TENURE_ACCESS_HOST_WRITE);
  CHECK(shelf.provider().map_calls == 2);
  CHECK(shelf.provider().unmap_calls == 1);
  shelf.release(coherent);
  shelf.release(mapped);
}

TEST_CASE("Instance: access that the domain does not grant is refused in words") {
  OpenProvider<Shelf> shelf;
  const auto info = shelf.made(64, Shelf::device);
  auto mapping = tenure::abi::make_struct<tenure_mapping>();

  CHECK(shelf->storage_map(shelf.instance, info.storage, TENURE_ACCESS_HOST_READ, &mapping, &shelf.status) ==
        TENURE_FAILED_PRECONDITION);
  CHECK(shelf.status.message ==
        std::string("shelf:0/device is device memory that the host may not map this way; "
                    "copy it to a host domain first"));
  for (const std::uint32_t access :
       {0u, TENURE_ACCESS_DEVICE, TENURE_ACCESS_HOST_READ | TENURE_ACCESS_PEER}) {
    CHECK(shelf->storage_map(shelf.instance, info.storage, access, &mapping, nullptr) ==
          TENURE_INVALID_ARGUMENT);
  }
  CHECK(mapping.address == nullptr);
  shelf.release(info);
}

TEST_CASE("Instance: statistics return to the baseline and the peak stays") {
  OpenProvider<Shelf> shelf;
  const auto first = shelf.made(100);
  const auto second = shelf.made(50);
  CHECK(shelf.statistics().live_bytes == 150);
  CHECK(shelf.statistics().live_count == 2);
  shelf.release(first);
  shelf.release(second);

  CHECK(shelf.statistics().live_bytes == 0);
  CHECK(shelf.statistics().live_count == 0);
  CHECK(shelf.statistics().peak_bytes == 150);
  CHECK(shelf.statistics(Shelf::managed).create_calls == 0);
}

TEST_CASE("Instance: a handle of another instance is refused and its release does nothing but log") {
  OpenProvider<Shelf> shelf, other;
  const auto info = shelf.made(64);
  auto out = tenure::abi::make_struct<tenure_storage_info>();

  CHECK(other->storage_info(other.instance, info.storage, &out, nullptr) == TENURE_INVALID_ARGUMENT);
  other->storage_release(other.instance, info.storage, nullptr);
  other->storage_release(other.instance, nullptr, nullptr);
  CHECK(other.host.lines.size() == 2);
  CHECK(shelf.provider().alive == 1);
  REQUIRE(shelf->storage_info(shelf.instance, info.storage, &out, nullptr) == TENURE_OK);
  CHECK(out.storage == info.storage);
  CHECK(out.bytes == 64);
  shelf.release(info);
}

TEST_CASE("Instance: storage may be released on another thread") {
  OpenProvider<Shelf> shelf;
  const auto info = shelf.made(64);
  std::thread([&] { shelf.release(info); }).join();
  CHECK(shelf.provider().alive == 0);
}

TEST_CASE("Instance: imported memory goes back to its user exactly once, after the class let go of it") {
  OpenProvider<Shelf> shelf;
  alignas(64) std::array<char, 128> memory{};
  struct Seen {
    Shelf* provider;
    int calls = 0;
    int alive_then = -1;
  } seen{&shelf.provider()};
  auto desc = tenure::abi::make_struct<tenure_import_desc>();
  desc.address = memory.data();
  desc.bytes = memory.size();
  desc.context = &seen;
  desc.release = [](void* context) noexcept {
    auto& own = *static_cast<Seen*>(context);
    ++own.calls;
    own.alive_then = own.provider->alive;
  };
  auto info = tenure::abi::make_struct<tenure_storage_info>();

  CHECK(shelf->storage_import(shelf.instance, Shelf::pageable, &desc, &info, nullptr) ==
        TENURE_UNIMPLEMENTED);
  CHECK(seen.calls == 0);
  REQUIRE(shelf->storage_import(shelf.instance, Shelf::mapped, &desc, &info, nullptr) == TENURE_OK);
  CHECK(info.bytes == 128);
  CHECK(info.alignment_bytes >= 64);
  CHECK(info.allocation_id != 0);
  CHECK(seen.calls == 0);
  shelf.release(info);
  CHECK(seen.calls == 1);
  CHECK(seen.alive_then == 0);

  desc.address = nullptr;
  CHECK(shelf->storage_import(shelf.instance, Shelf::mapped, &desc, &info, nullptr) ==
        TENURE_INVALID_ARGUMENT);
  CHECK(seen.calls == 1);
}

TEST_CASE("Instance: the alignment of imported memory is that of its address up to a page") {
  OpenProvider<Shelf> shelf;
  alignas(8192) static std::array<char, 8192> memory;
  for (const auto& [offset, alignment] : {std::array{0, 4096}, std::array{4096, 4096}, std::array{24, 8}}) {
    CAPTURE(offset);
    auto desc = tenure::abi::make_struct<tenure_import_desc>();
    desc.address = memory.data() + offset;
    desc.bytes = 64;
    auto info = tenure::abi::make_struct<tenure_storage_info>();
    REQUIRE(shelf->storage_import(shelf.instance, Shelf::mapped, &desc, &info, nullptr) == TENURE_OK);
    CHECK(info.alignment_bytes == static_cast<std::uint64_t>(alignment));
    shelf.release(info);
  }
}

TEST_CASE("Instance: null arguments and structs of another kind are refused") {
  OpenProvider<Shelf> shelf;
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  auto desc = tenure::abi::make_struct<tenure_storage_desc>();
  const auto* api = shelf.table.instance;

  CHECK(api->storage_create(shelf.instance, 0, nullptr, &info, nullptr) == TENURE_INVALID_ARGUMENT);
  CHECK(api->storage_create(shelf.instance, 0, &desc, nullptr, nullptr) == TENURE_INVALID_ARGUMENT);
  CHECK(api->storage_create(nullptr, 0, &desc, &info, nullptr) == TENURE_INVALID_ARGUMENT);
  CHECK(api->storage_info(shelf.instance, nullptr, &info, nullptr) == TENURE_INVALID_ARGUMENT);
  CHECK(api->domain_info(shelf.instance, 0, nullptr, nullptr) == TENURE_INVALID_ARGUMENT);
  desc.head.kind = TENURE_KIND_STATUS;
  CHECK(api->storage_create(shelf.instance, 0, &desc, &info, &shelf.status) == TENURE_INVALID_ARGUMENT);
  CHECK(shelf.status.message ==
        std::string("storage_create: desc has kind 1 and 40 bytes; expected kind 10 and at least a head"));
  CHECK(shelf.provider().alive == 0);
}

TEST_CASE("Instance: options are the class's, and others are refused") {
  using Opened = OpenProvider<Shelf>;
  tenure_test::TestHost host;
  tenure_instance* instance = nullptr;
  auto status = tenure::abi::make_struct<tenure_status>();
  tenure_string key = sdk::to_c("colour");
  tenure_string value = sdk::to_c("true");
  auto args = tenure::abi::make_struct<tenure_open_args>();
  args.keys = &key;
  args.values = &value;
  args.count = 1;

  CHECK(Opened::table.open(&host.table, &args, &instance, &status) == TENURE_INVALID_ARGUMENT);
  CHECK(std::string_view(status.message) == "there is no option \"colour\"; this provider takes maps_fail");
  CHECK(instance == nullptr);
  key = sdk::to_c("maps_fail");
  REQUIRE(Opened::table.open(&host.table, &args, &instance, &status) == TENURE_OK);
  Opened::table.close(instance);
}
