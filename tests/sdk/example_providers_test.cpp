// SPDX-License-Identifier: Apache-2.0
// The example providers, in C and in C++, loaded as the files that an author would ship.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string_view>
#include <vector>

#include "sdk/open_provider.hpp"

namespace abi = tenure::abi;

namespace {

// One example, open. The file stays mapped.
class Example {
 public:
  explicit Example(const char* file) {
    void* const image = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
    REQUIRE_MESSAGE(image != nullptr, ::dlerror());
    const auto entry = reinterpret_cast<tenure_provider_entry_function>(::dlsym(image, TENURE_ENTRY_SYMBOL));
    REQUIRE_MESSAGE(static_cast<bool>(entry), TENURE_ENTRY_SYMBOL);
    REQUIRE(entry(&host.table, &provider, &status) == TENURE_OK);
    api = provider->instance;
    REQUIRE(provider->open(&host.table, nullptr, &instance, &status) == TENURE_OK);
  }
  ~Example() { provider->close(instance); }
  Example(const Example&) = delete;
  Example& operator=(const Example&) = delete;

  std::int32_t create(std::uint64_t bytes, std::uint64_t alignment_bytes, std::uint32_t flags = 0) {
    auto desc = abi::make_struct<tenure_storage_desc>();
    desc.bytes = bytes;
    desc.alignment_bytes = alignment_bytes;
    desc.flags = flags;
    info = abi::make_struct<tenure_storage_info>();
    return api->storage_create(instance, 0, &desc, &info, &status);
  }
  void release() { api->storage_release(instance, info.storage, nullptr); }

  std::int32_t copy(tenure_place source, tenure_place target, std::int64_t extent) {
    auto desc = abi::make_struct<tenure_copy_desc>();
    desc.source = source;
    desc.target = target;
    desc.extents = &extent;
    desc.rank = 1;
    desc.element_bytes = 4;
    return api->copy(instance, &desc, nullptr, &status);
  }

  tenure_test::TestHost host;
  tenure_status status = abi::make_struct<tenure_status>();
  const tenure_provider* provider = nullptr;
  const tenure_instance_api* api = nullptr;
  tenure_instance* instance = nullptr;
  tenure_storage_info info = abi::make_struct<tenure_storage_info>();
};

const std::array<const char*, 2> files{TENURE_MINIMAL_C, TENURE_MINIMAL_CPP};

}  // namespace

TEST_CASE("example providers: memory is aligned, zeroed on demand, mapped and counted") {
  for (const char* file : files) {
    CAPTURE(file);
    Example example(file);
    for (std::uint64_t alignment = 1; alignment <= 4096; alignment *= 2) {
      REQUIRE(example.create(1000, alignment, TENURE_STORAGE_ZERO) == TENURE_OK);
      CHECK(reinterpret_cast<std::uintptr_t>(example.info.address) % alignment == 0);
      CHECK(example.info.alignment_bytes >= alignment);
      const std::array<char, 1000> zeros{};
      CHECK(std::memcmp(example.info.address, zeros.data(), zeros.size()) == 0);
      auto mapping = abi::make_struct<tenure_mapping>();
      CHECK(example.api->storage_map(example.instance, example.info.storage, TENURE_ACCESS_HOST_WRITE,
                                     &mapping, nullptr) == TENURE_OK);
      CHECK(mapping.address == example.info.address);
      CHECK(mapping.bytes >= 1000);
      example.api->storage_unmap(example.instance, example.info.storage, TENURE_ACCESS_HOST_WRITE);
      auto statistics = abi::make_struct<tenure_domain_statistics>();
      CHECK(example.api->domain_statistics(example.instance, 0, &statistics, nullptr) == TENURE_OK);
      CHECK(statistics.live_bytes == 1000);
      example.release();
    }
    REQUIRE(example.create(0, 0) == TENURE_OK);
    CHECK(example.info.address != nullptr);
    example.release();
  }
}

TEST_CASE("example providers: the peak of the live bytes stays when they fall") {
  for (const char* file : files) {
    CAPTURE(file);
    Example example(file);
    for (const std::uint64_t bytes : {100U, 3000U, 50U}) {
      REQUIRE(example.create(bytes, 0) == TENURE_OK);
      example.release();
    }
    auto statistics = abi::make_struct<tenure_domain_statistics>();
    REQUIRE(example.api->domain_statistics(example.instance, 0, &statistics, nullptr) == TENURE_OK);
    CHECK(statistics.peak_bytes == 3000);
    CHECK(statistics.live_count == 0);
    CHECK(statistics.create_calls == 3);
    CHECK(statistics.release_calls == 3);
  }
}

TEST_CASE("example providers: refusals have a code, a message and no output") {
  for (const char* file : files) {
    CAPTURE(file);
    Example example(file);
    CHECK(example.create(8, 3) == TENURE_INVALID_ARGUMENT);
    CHECK(std::string_view(example.status.message).size() > 10);
    CHECK(example.status.code == TENURE_INVALID_ARGUMENT);
    CHECK(example.create(8, 0, 1U << 31) == TENURE_INVALID_ARGUMENT);
    CHECK(example.create(UINT64_MAX, 0) == TENURE_RESOURCE_EXHAUSTED);
    CHECK(example.info.storage == nullptr);
    auto statistics = abi::make_struct<tenure_domain_statistics>();
    REQUIRE(example.api->domain_statistics(example.instance, 0, &statistics, nullptr) == TENURE_OK);
    CHECK(statistics.failed_calls == 3);
    REQUIRE(example.create(64, 0) == TENURE_OK);
    auto mapping = abi::make_struct<tenure_mapping>();
    CHECK(example.api->storage_map(example.instance, example.info.storage, TENURE_ACCESS_DEVICE, &mapping,
                                   nullptr) == TENURE_INVALID_ARGUMENT);
    example.release();
    auto domain = abi::make_struct<tenure_domain_info>();
    CHECK(example.api->domain_info(example.instance, 1, &domain, nullptr) == TENURE_OUT_OF_RANGE);
    tenure_string key{"colour", 6}, value{"red", 3};
    auto args = abi::make_struct<tenure_open_args>();
    args.keys = &key;
    args.values = &value;
    args.count = 1;
    tenure_instance* second = nullptr;
    CHECK(example.provider->open(&example.host.table, &args, &second, nullptr) == TENURE_INVALID_ARGUMENT);
    CHECK(second == nullptr);
    args.head.bytes = offsetof(tenure_open_args, count);
    REQUIRE(example.provider->open(&example.host.table, &args, &second, nullptr) == TENURE_OK);
    example.provider->close(second);
    CHECK(example.api->get_extension(example.instance, "tenure.ext.pool/1") == nullptr);
  }
}

TEST_CASE("example providers: a copy goes in and out, and overlaps and overruns are refused") {
  for (const char* file : files) {
    CAPTURE(file);
    Example example(file);
    CHECK(example.api->can_copy(example.instance, 0, TENURE_DOMAIN_HOST) == 1);
    CHECK(example.api->can_copy(example.instance, 1, 0) == 0);
    std::vector<std::int32_t> source(16), target(16);
    std::iota(source.begin(), source.end(), 0);
    REQUIRE(example.create(72, 0) == TENURE_OK);
    tenure_storage* const storage = example.info.storage;

    CHECK(example.copy({nullptr, source.data(), 0, nullptr}, {storage, nullptr, 8, nullptr}, 16) ==
          TENURE_OK);
    CHECK(example.copy({storage, nullptr, 8, nullptr}, {nullptr, target.data(), 0, nullptr}, 16) ==
          TENURE_OK);
    CHECK(target == source);
    CHECK(example.copy({storage, nullptr, 0, nullptr}, {storage, nullptr, 4, nullptr}, 16) ==
          TENURE_INVALID_ARGUMENT);
    CHECK(example.copy({nullptr, source.data(), 0, nullptr}, {storage, nullptr, 12, nullptr}, 16) ==
          TENURE_OUT_OF_RANGE);
    CHECK(example.copy({nullptr, source.data(), 0, nullptr}, {storage, nullptr, 80, nullptr}, 0) ==
          TENURE_OK);
    example.release();
  }
}

TEST_CASE("example providers: a fill repeats its pattern and stays within the storage") {
  for (const char* file : files) {
    CAPTURE(file);
    Example example(file);
    REQUIRE(example.create(64, 0) == TENURE_OK);
    auto desc = abi::make_struct<tenure_fill_desc>();
    desc.storage = example.info.storage;
    desc.bytes = 64;
    desc.pattern_bytes = 2;
    desc.pattern[0] = 1;
    desc.pattern[1] = 2;
    const auto fill = [&] { return example.api->fill(example.instance, &desc, nullptr, &example.status); };
    CHECK(fill() == TENURE_OK);
    const auto* bytes = static_cast<const std::uint8_t*>(example.info.address);
    for (int i = 0; i < 64; ++i) CHECK(bytes[i] == i % 2 + 1);
    desc.offset_bytes = 2;
    CHECK(fill() == TENURE_OUT_OF_RANGE);
    desc.bytes = 61;
    CHECK(fill() == TENURE_INVALID_ARGUMENT);
    desc.pattern_bytes = 3;
    CHECK(fill() == TENURE_INVALID_ARGUMENT);
    example.release();
  }
}
