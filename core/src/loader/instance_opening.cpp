// SPDX-License-Identifier: Apache-2.0
#include "loader/instance_opening.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "loader/provider_table.hpp"
#include "loader/utf8.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/provider_error.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

constexpr std::string_view operation = "Provider::open";

[[noreturn]] void refuse(const Module& module, std::int32_t code, std::string message) {
  throw ProviderError(std::string(operation), module.id(), code, module.id() + " " + std::move(message));
}

// Calls `function(..., &status)` and throws what it answered, if that is a failure.
template <class Call>
void require_ok(const Module& module, std::string_view attempt, Call call) {
  auto status = abi::make_struct<tenure_status>();
  const std::int32_t code = call(&status);
  if (code != TENURE_OK) {
    throw ProviderError::answered(std::string(operation), module.id(), attempt, code, status);
  }
}

// Closes the provider's instance again unless it is handed over.
class Opened {
 public:
  explicit Opened(const Module& module) : module_(module) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (handle_ != nullptr) module_.provider().close(handle_);
  }

  tenure_instance** out() noexcept { return &handle_; }
  tenure_instance* get() const noexcept { return handle_; }
  void hand_over() noexcept { handle_ = nullptr; }

 private:
  const Module& module_;
  tenure_instance* handle_ = nullptr;
};

void open_handle(const Module& module, const OpenOptions& options, Opened& opened) {
  std::vector<tenure_string> keys;
  std::vector<tenure_string> values;
  for (const OpenOption& option : options) {
    keys.push_back({option.key.data(), option.key.size()});
    values.push_back({option.value.data(), option.value.size()});
  }
  auto args = abi::make_struct<tenure_open_args>();
  args.keys = keys.data();
  args.values = values.data();
  args.count = options.size();
  tenure_instance* handle = nullptr;
  require_ok(module, "opening an instance", [&](tenure_status* status) {
    return module.provider().open(&module.host(), &args, &handle, status);
  });
  if (handle == nullptr) refuse(module, TENURE_INTERNAL, "answered OK to open but gave no instance");
  *opened.out() = handle;
  module.note_opened();
}

std::string checked_name(const Module& module, std::string_view what, tenure_string text) {
  constexpr std::uint64_t name_bytes_max = 256;
  if (text.data == nullptr || text.bytes == 0 || text.bytes > name_bytes_max) {
    refuse(module, TENURE_INTERNAL, "gave a " + std::string(what) + " no name, or one that is too long");
  }
  std::string name(text.data, text.bytes);
  if (!is_printable_utf8(name)) {
    refuse(module, TENURE_INTERNAL, "gave a " + std::string(what) + " a name that is not printable UTF-8");
  }
  return name;
}

DomainInfo ask_domain(const Module& module, tenure_instance* handle, std::uint64_t index) {
  auto raw = abi::make_struct<tenure_domain_info>();
  require_ok(module, "asking for domain " + std::to_string(index), [&](tenure_status* status) {
    return module.facts().table.instance.domain_info(handle, index, &raw, status);
  });
  constexpr std::uint32_t opaque = TENURE_MEMORY_OPAQUE;
  DomainInfo info{.index = index,
                  .name = checked_name(module, "domain", raw.name),
                  .memory = raw.memory <= TENURE_MEMORY_SHARED ? raw.memory : opaque,
                  .access = raw.access,
                  .device_index = raw.device_index,
                  .numa_node = raw.numa_node,
                  .dlpack_type = raw.dlpack_type,
                  .dlpack_id = raw.dlpack_id,
                  .alignment_bytes_min = std::max<std::uint64_t>(raw.alignment_bytes_min, 1),
                  .granularity_bytes = raw.granularity_bytes,
                  .storage_bytes_max = raw.storage_bytes_max == 0 ? UINT64_MAX : raw.storage_bytes_max,
                  .total_bytes = raw.total_bytes,
                  .quota_bytes = raw.quota_bytes};
  if (info.memory == opaque) {
    info.access &= ~(TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE | TENURE_ACCESS_COHERENT);
  }
  if (!std::has_single_bit(info.alignment_bytes_min)) {
    refuse(module, TENURE_INTERNAL,
           "gave domain '" + info.name + "' the alignment " + std::to_string(info.alignment_bytes_min) +
               ", which is no power of two");
  }
  return info;
}

void ask_domains(const Module& module, InstanceControl::Facts& facts) {
  constexpr std::uint64_t count_max = 65536;
  const std::uint64_t count = facts.api.domain_count(facts.handle);
  if (count == 0 || count > count_max) {
    refuse(module, TENURE_INTERNAL, "opened an instance with " + std::to_string(count) + " domains");
  }
  for (std::uint64_t index = 0; index < count; ++index) {
    DomainInfo info = ask_domain(module, facts.handle, index);
    if (std::ranges::find(facts.domains, info.name, &DomainInfo::name) != facts.domains.end()) {
      refuse(module, TENURE_INTERNAL, "gave two domains the name '" + info.name + "'");
    }
    facts.domains.push_back(std::move(info));
  }
}

void ask_devices(const Module& module, InstanceControl::Facts& facts) {
  constexpr std::uint64_t count_max = 65536;
  const std::uint64_t count = facts.api.device_count(facts.handle);
  if (count > count_max) {
    refuse(module, TENURE_INTERNAL, "opened an instance with " + std::to_string(count) + " devices");
  }
  for (std::uint64_t index = 0; index < count; ++index) {
    auto raw = abi::make_struct<tenure_device_info>();
    require_ok(module, "asking for device " + std::to_string(index), [&](tenure_status* status) {
      return facts.api.device_info(facts.handle, index, &raw, status);
    });
    if (raw.default_domain >= facts.domains.size()) {
      refuse(module, TENURE_INTERNAL,
             "gave device " + std::to_string(index) + " the default domain " +
                 std::to_string(raw.default_domain) + " of " + std::to_string(facts.domains.size()));
    }
    if (index == 0) facts.default_domain = raw.default_domain;
    facts.devices.push_back({.name = checked_name(module, "device", raw.name),
                             .dlpack_type = raw.dlpack_type,
                             .dlpack_id = raw.dlpack_id,
                             .default_domain = facts.domains[raw.default_domain].name});
  }
}

// An extension that the instance offers under this id, checked; empty when it offers none.
template <class Table>
std::optional<Table> ask_extension(const Module& module, const InstanceControl::Facts& facts, const char* id,
                                   std::variant<Table, Problem> (*check)(const void*)) {
  const void* const table = facts.api.get_extension(facts.handle, id);
  if (table == nullptr) return std::nullopt;
  auto checked = check(table);
  if (const Problem* problem = std::get_if<Problem>(&checked)) {
    refuse(module, TENURE_INTERNAL, "offers " + std::string(id) + ", but " + problem->message);
  }
  return std::get<Table>(checked);
}

}  // namespace

Availability ask_availability(const Module& module) {
  auto status = abi::make_struct<tenure_status>();
  auto answer = abi::make_struct<tenure_availability>();
  const std::int32_t code = module.provider().availability(&module.host(), &answer, &status);
  if (code != TENURE_OK) {
    throw ProviderError::answered("Provider::availability", module.id(), "asking whether it can work here",
                                  code, status);
  }
  if (answer.code == TENURE_OK) return {.available = true, .reason = {}};
  std::string reason(answer.reason, ::strnlen(answer.reason, sizeof answer.reason));
  return {.available = false, .reason = reason.empty() ? "the provider gives no reason" : std::move(reason)};
}

InstanceControl& open_instance(const Module& module, const OpenOptions& options) {
  module.require_usable_after_fork(operation);
  const Availability availability = ask_availability(module);
  if (!availability.available) {
    refuse(module, TENURE_UNAVAILABLE, "is not available on this machine: " + availability.reason);
  }
  Opened opened(module);
  open_handle(module, options, opened);
  InstanceControl::Facts facts;
  facts.handle = opened.get();
  facts.api = module.facts().table.instance;
  ask_domains(module, facts);
  ask_devices(module, facts);
  facts.pool_api = ask_extension<tenure_pool_api>(module, facts, TENURE_EXT_POOL, &check_pool_table);
  facts.engine_api = ask_extension<tenure_engine_api>(module, facts, TENURE_EXT_ENGINE, &check_engine_table);
  InstanceControl& control = InstanceControl::adopt(module, std::move(facts));
  opened.hand_over();
  return control;
}

}  // namespace tenure::inline TENURE_BUILD
