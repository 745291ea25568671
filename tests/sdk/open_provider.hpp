// SPDX-License-Identifier: Apache-2.0
// open_provider: a provider class opened with a host of the test's own, reached through its C tables.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tenure/abi/struct_head.hpp"
#include "tenure/sdk/provider.hpp"

namespace tenure_test {

// A host that remembers what it was told.
struct TestHost {
  std::vector<std::string> lines;
  std::uint64_t noted_bytes = 0;
  tenure_host table = tenure::abi::make_struct<tenure_host>();

  TestHost() {
    table.abi_major = TENURE_ABI_MAJOR;
    table.abi_minor = TENURE_ABI_MINOR;
    table.context = reinterpret_cast<tenure_host_context*>(this);
    table.log = [](tenure_host_context* context, std::int32_t, tenure_string line) noexcept {
      of(context).lines.emplace_back(line.data, line.bytes);
    };
    table.allocate = [](tenure_host_context*, std::uint64_t bytes, std::uint64_t) noexcept -> void* {
      return ::operator new(bytes, std::nothrow);
    };
    table.free = [](tenure_host_context*, void* address) noexcept { ::operator delete(address); };
    table.is_exiting = [](tenure_host_context*) noexcept -> std::int32_t { return 0; };
    table.thread_index = [](tenure_host_context*) noexcept -> std::uint32_t { return 7; };
    table.note_copy = [](tenure_host_context* context, std::uint64_t bytes) noexcept {
      of(context).noted_bytes += bytes;
    };
    table.get_extension = [](tenure_host_context*, const char*) noexcept -> const void* { return nullptr; };
  }
  TestHost(const TestHost&) = delete;
  TestHost& operator=(const TestHost&) = delete;

 private:
  static TestHost& of(tenure_host_context* context) { return *reinterpret_cast<TestHost*>(context); }
};

// An open instance of P. Every failure is a code in `status`.
template <class P>
class OpenProvider {
 public:
  static constexpr tenure_provider table =
      tenure::sdk::ProviderTable<P>::make({"org.tenure.test", "Test", "1.0.0", "Tenure"});

  OpenProvider() { REQUIRE(table.open(&host.table, nullptr, &instance, &status) == TENURE_OK); }
  ~OpenProvider() { table.close(instance); }
  OpenProvider(const OpenProvider&) = delete;
  OpenProvider& operator=(const OpenProvider&) = delete;

  const tenure_instance_api* operator->() const { return table.instance; }
  P& provider() { return tenure::sdk::Instance<P>::of(instance).provider(); }

  std::int32_t create(std::uint64_t bytes, tenure_storage_info& out, std::uint64_t alignment_bytes = 0,
                      std::uint32_t flags = 0, std::uint64_t domain = 0) {
    auto desc = tenure::abi::make_struct<tenure_storage_desc>();
    desc.bytes = bytes;
    desc.alignment_bytes = alignment_bytes;
    desc.flags = flags;
    return table.instance->storage_create(instance, domain, &desc, &out, &status);
  }
  // A storage that must be made.
  tenure_storage_info made(std::uint64_t bytes, std::uint64_t domain = 0) {
    auto info = tenure::abi::make_struct<tenure_storage_info>();
    REQUIRE(create(bytes, info, 0, 0, domain) == TENURE_OK);
    return info;
  }
  void release(const tenure_storage_info& info) {
    table.instance->storage_release(instance, info.storage, nullptr);
  }
  tenure_domain_statistics statistics(std::uint64_t domain = 0) {
    auto out = tenure::abi::make_struct<tenure_domain_statistics>();
    REQUIRE(table.instance->domain_statistics(instance, domain, &out, &status) == TENURE_OK);
    return out;
  }
  template <class Table>
  const Table* extension(const char* id) {
    return static_cast<const Table*>(table.instance->get_extension(instance, id));
  }

  TestHost host;
  tenure_status status = tenure::abi::make_struct<tenure_status>();
  tenure_instance* instance = nullptr;
};

}  // namespace tenure_test
