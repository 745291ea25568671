// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/provider.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/open_provider.hpp"

namespace sdk = tenure::sdk;
using tenure_test::TestHost;

namespace {

class Attic {
 public:
  struct Storage {};

  Attic(const sdk::Host&, sdk::OpenOptions& options) {
    if (options.boolean("burning", false)) throw sdk::Error(TENURE_UNAVAILABLE, "the attic burns");
  }
  static std::string why_unavailable(const sdk::Host& host) {
    return host.is_exiting() ? "the process is about to end" : "";
  }
  std::vector<sdk::Domain> domains() const { return {{.name = "attic:0/box"}, {.name = "attic:1/box"}}; }
  std::vector<sdk::Device> devices() const {
    return {{.name = "attic:0"}, {.name = "attic:1", .default_domain = 1}};
  }
  Storage create(std::uint64_t, const sdk::StorageRequest&) { return {}; }
  void release(Storage&) noexcept {}
  void* map(Storage& storage, std::uint32_t) { return &storage; }
};

// Names what `domains` of a broken class returned.
template <int kind>
class Broken : public Attic {
 public:
  using Attic::Attic;
  std::vector<sdk::Domain> domains() const {
    if (kind == 0) return {};
    if (kind == 1) return {{.name = ""}};
    return {{.name = "attic:0/box", .alignment_bytes_min = 48}};
  }
};

}  // namespace

TENURE_PROVIDER(Attic, "org.tenure.test.attic", "Attic", "1.2.3-rc1", "Tenure", TENURE_NOTE_SPAWNS_THREADS);

namespace {

const tenure_provider* enter(const tenure_host* host) {
  const tenure_provider* provider = nullptr;
  REQUIRE(tenure_provider_entry_v1_draft(host, &provider, nullptr) == TENURE_OK);
  return provider;
}

template <class P>
std::int32_t open_code() {
  TestHost host;
  tenure_instance* instance = nullptr;
  const auto& table = tenure_test::OpenProvider<P>::table;
  const std::int32_t code = table.open(&host.table, nullptr, &instance, nullptr);
  CHECK(instance == nullptr);
  return code;
}

}  // namespace

TEST_CASE("TENURE_PROVIDER: the entry answers the same complete table every time") {
  TestHost host;
  const tenure_provider* provider = enter(&host.table);

  CHECK(provider == enter(&host.table));
  CHECK(provider->head.kind == TENURE_KIND_PROVIDER);
  CHECK(sdk::to_view(provider->id) == "org.tenure.test.attic");
  CHECK(sdk::to_view(provider->name) == "Attic");
  CHECK(sdk::to_view(provider->version) == "1.2.3-rc1");
  CHECK(sdk::to_view(provider->vendor) == "Tenure");
  CHECK(provider->get_extension("anything") == nullptr);
  const tenure_instance_api& api = *provider->instance;
  CHECK(api.head.kind == TENURE_KIND_INSTANCE_API);
  CHECK(api.head.bytes == sizeof api);
  std::vector<const void*> slots((sizeof api - sizeof api.head) / sizeof(void*));
  std::memcpy(slots.data(), reinterpret_cast<const char*>(&api) + sizeof api.head,
              sizeof api - sizeof api.head);
  for (const void* slot : slots) CHECK(slot != nullptr);
}

TEST_CASE("TENURE_PROVIDER: the note says what the table says") {
  TestHost host;
  const tenure_note& note = tenure_note_of_this_image;

  CHECK(note.id == sdk::to_view(enter(&host.table)->id));
  CHECK(note.version == sdk::to_view(enter(&host.table)->version));
  CHECK(note.flags == (TENURE_NOTE_DRAFT | TENURE_NOTE_SPAWNS_THREADS));
  CHECK(note.magic == TENURE_NOTE_MAGIC);
  CHECK(note.owner_bytes == sizeof TENURE_NOTE_OWNER);
  CHECK(std::string_view(note.owner) == TENURE_NOTE_OWNER);
  CHECK(note.description_bytes == note.bytes);
  CHECK(offsetof(tenure_note, magic) == 20);
  CHECK(sizeof note == 20 + note.bytes);
}

TEST_CASE("TENURE_PROVIDER: the entry refuses a host of another major and null arguments") {
  TestHost host;
  const tenure_provider* provider = nullptr;
  auto status = tenure::abi::make_struct<tenure_status>();

  CHECK(tenure_provider_entry_v1_draft(nullptr, &provider, &status) == TENURE_INVALID_ARGUMENT);
  CHECK(tenure_provider_entry_v1_draft(&host.table, nullptr, &status) == TENURE_INVALID_ARGUMENT);
  host.table.abi_major = 2;
  CHECK(tenure_provider_entry_v1_draft(&host.table, &provider, &status) == TENURE_FAILED_PRECONDITION);
  CHECK(std::string_view(status.message) ==
        "org.tenure.test.attic speaks provider ABI 1 and this host speaks 2");
  CHECK(provider == nullptr);
}

TEST_CASE("TENURE_PROVIDER: a host that knows less or more is served") {
  TestHost host;
  host.table.head.bytes = sizeof(tenure_head);
  tenure_instance* instance = nullptr;
  REQUIRE(enter(&host.table)->open(&host.table, nullptr, &instance, nullptr) == TENURE_OK);
  enter(&host.table)->close(instance);
  host.table.head.bytes = sizeof(tenure_host) + 64;
  CHECK(enter(&host.table) != nullptr);
}

TEST_CASE("ProviderTable: a class that is unavailable says so and is not opened") {
  TestHost host;
  host.table.is_exiting = [](tenure_host_context*) noexcept -> std::int32_t { return 1; };
  const tenure_provider* provider = enter(&host.table);
  auto availability = tenure::abi::make_struct<tenure_availability>();
  auto status = tenure::abi::make_struct<tenure_status>();
  tenure_instance* instance = nullptr;

  REQUIRE(provider->availability(&host.table, &availability, nullptr) == TENURE_OK);
  CHECK(availability.code == TENURE_UNAVAILABLE);
  CHECK(std::string_view(availability.reason) == "the process is about to end");
  CHECK(provider->open(&host.table, nullptr, &instance, &status) == TENURE_UNAVAILABLE);
  CHECK(std::string_view(status.message) == "the process is about to end");

  TestHost living;
  REQUIRE(provider->availability(&living.table, &availability, nullptr) == TENURE_OK);
  CHECK(availability.code == TENURE_OK);
}

TEST_CASE("ProviderTable: what the constructor throws is the code of open") {
  TestHost host;
  tenure_string key = sdk::to_c("burning");
  tenure_string value = sdk::to_c("true");
  auto args = tenure::abi::make_struct<tenure_open_args>();
  args.keys = &key;
  args.values = &value;
  args.count = 1;
  tenure_instance* instance = nullptr;
  CHECK(enter(&host.table)->open(&host.table, &args, &instance, nullptr) == TENURE_UNAVAILABLE);
  CHECK(instance == nullptr);
}

TEST_CASE("ProviderTable: two opens are independent and devices are the class's") {
  tenure_test::OpenProvider<Attic> first, second;
  CHECK(first.instance != second.instance);
  auto device = tenure::abi::make_struct<tenure_device_info>();
  CHECK(first->device_count(first.instance) == 2);
  REQUIRE(first->device_info(first.instance, 1, &device, nullptr) == TENURE_OK);
  CHECK(sdk::to_view(device.name) == "attic:1");
  CHECK(device.default_domain == 1);
}

TEST_CASE("ProviderTable: domains that break the contract are an internal error of open") {
  CHECK(open_code<Broken<0>>() == TENURE_INTERNAL);
  CHECK(open_code<Broken<1>>() == TENURE_INTERNAL);
  CHECK(open_code<Broken<2>>() == TENURE_INTERNAL);
}

TEST_CASE("is_provider_id and is_version: what the macro lets through") {
  static_assert(sdk::is_provider_id("org.tenure.cpu-2"));
  static_assert(!sdk::is_provider_id("cpu"));
  static_assert(!sdk::is_provider_id("org.Tenure"));
  static_assert(!sdk::is_provider_id(".org.tenure"));
  static_assert(!sdk::is_provider_id(""));
  static_assert(!sdk::is_provider_id("org.a234567890123456789012345678901234567890123456789012345678901234"));
  static_assert(sdk::is_version("0.1.0"));
  static_assert(sdk::is_version("1.22.3-rc.1+build"));
  static_assert(!sdk::is_version("1.2"));
  static_assert(!sdk::is_version("v1.2.3"));
  static_assert(!sdk::is_version("1.2.3 "));
  static_assert(!sdk::is_version(""));
}
