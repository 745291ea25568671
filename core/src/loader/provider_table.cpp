// SPDX-License-Identifier: Apache-2.0
#include "loader/provider_table.hpp"

#include <cstring>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "loader/utf8.hpp"
#include "tenure/abi/struct_copy.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

Problem table_problem(std::string_view id, std::string culprit, std::string wanted, std::string found) {
  return {
      .id = std::string(id),
      .stage = LoadStage::table,
      .code = TENURE_INTERNAL,
      .culprit = culprit,
      .wanted = wanted,
      .found = found,
      .searched = {},
      .message = "the provider's table is not right: " + culprit + " must be " + wanted + ", but is " + found,
      .hint = "Report it to the provider's author; provider-probe check shows more."};
}

// A function of a table, as far as it matters here: whether it is there.
struct Slot {
  std::string_view name;
  bool is_there;
};
template <class Function>
Slot slot(std::string_view name, Function* function) {
  return {name, function != nullptr};
}

std::optional<Problem> missing_slot(std::initializer_list<Slot> slots) {
  for (const Slot& each : slots) {
    if (!each.is_there)
      return table_problem("abi.required-slots", std::string(each.name), "a function", "null");
  }
  return std::nullopt;
}

// `where` is null for tables that need not lie in an image.
template <class T>
std::optional<Problem> check_head(std::string_view name, const T* table, std::uint16_t kind,
                                  const ModuleImage* where) {
  const std::string who(name);
  if (table == nullptr) return table_problem("abi.heads", who, "a table", "null");
  if (where != nullptr && !where->contains(table, sizeof(tenure_head))) {
    return table_problem("abi.tables-in-image", who, "in the provider's image", "elsewhere");
  }
  const tenure_head& head = table->head;
  if (head.kind != kind) {
    return table_problem("abi.heads", who + ".head.kind", std::to_string(kind), std::to_string(head.kind));
  }
  if (head.zero != 0) return table_problem("abi.heads", who + ".head.zero", "0", std::to_string(head.zero));
  if (head.bytes < sizeof(tenure_head)) {
    return table_problem("abi.heads", who + ".head.bytes", "the size of the table",
                         std::to_string(head.bytes));
  }
  if (where != nullptr && !where->contains(table, head.bytes)) {
    return table_problem("abi.tables-in-image", who,
                         "in the provider's image with all its " + std::to_string(head.bytes) + " bytes",
                         "partly elsewhere");
  }
  return std::nullopt;
}

std::variant<std::string, Problem> text_of(std::string_view name, tenure_string text,
                                           const ModuleImage& image) {
  constexpr std::uint64_t text_bytes_max = 4096;
  const std::string who(name);
  if (text.bytes > text_bytes_max) {
    return table_problem("abi.strings-utf8", who, "at most " + std::to_string(text_bytes_max) + " bytes long",
                         std::to_string(text.bytes) + " bytes long");
  }
  if (text.bytes == 0) return std::string();
  if (!image.contains(text.data, text.bytes)) {
    return table_problem("abi.tables-in-image", who, "in the provider's image", "elsewhere");
  }
  std::string copy(text.data, text.bytes);
  if (!is_printable_utf8(copy))
    return table_problem("abi.strings-utf8", who, "printable UTF-8", "other bytes");
  return copy;
}

std::optional<Problem> check_provider_slots(const tenure_provider& table) {
  return missing_slot({slot("provider.availability", table.availability), slot("provider.open", table.open),
                       slot("provider.close", table.close),
                       slot("provider.get_extension", table.get_extension)});
}

std::optional<Problem> check_instance_slots(const tenure_instance_api& table) {
  return missing_slot(
      {slot("instance.device_count", table.device_count), slot("instance.device_info", table.device_info),
       slot("instance.domain_count", table.domain_count), slot("instance.domain_info", table.domain_info),
       slot("instance.domain_statistics", table.domain_statistics), slot("instance.can_copy", table.can_copy),
       slot("instance.storage_create", table.storage_create),
       slot("instance.storage_release", table.storage_release),
       slot("instance.storage_info", table.storage_info), slot("instance.storage_map", table.storage_map),
       slot("instance.storage_unmap", table.storage_unmap), slot("instance.copy", table.copy),
       slot("instance.fill", table.fill), slot("instance.trim", table.trim),
       slot("instance.get_extension", table.get_extension)});
}

std::optional<Problem> read_texts(ProviderTable& checked, const ModuleImage& image) {
  const auto read = [&](std::string_view name, tenure_string text,
                        std::string& out) -> std::optional<Problem> {
    auto copied = text_of(name, text, image);
    if (Problem* problem = std::get_if<Problem>(&copied)) return std::move(*problem);
    out = std::get<std::string>(std::move(copied));
    return std::nullopt;
  };
  const tenure_provider& table = checked.provider;
  if (auto problem = read("provider.id", table.id, checked.id)) return problem;
  if (auto problem = read("provider.name", table.name, checked.name)) return problem;
  if (checked.name.empty()) {
    return table_problem("abi.strings-utf8", "provider.name", "a name for people", "empty");
  }
  if (auto problem = read("provider.version", table.version, checked.version)) return problem;
  return read("provider.vendor", table.vendor, checked.vendor);
}

std::optional<Problem> compare_with_card(const ProviderTable& checked, const IdentityCard& card) {
  const auto differs = [](std::string_view name, const std::string& in_card, const std::string& in_table) {
    Problem problem = table_problem("file.note.matches-table", "provider." + std::string(name),
                                    "'" + in_card + "', as on the identity card", "'" + in_table + "'");
    problem.code = TENURE_DATA_LOSS;
    problem.message += "; the file was altered, or parts of two builds were mixed";
    problem.hint = "Build the provider again from nothing.";
    return problem;
  };
  if (checked.id != card.id) return differs("id", card.id, checked.id);
  if (checked.version != card.version) return differs("version", card.version, checked.version);
  return std::nullopt;
}

template <class T>
std::variant<T, Problem> checked_extension(std::string_view name, const void* table, std::uint16_t kind) {
  const auto* typed = static_cast<const T*>(table);
  if (auto problem = check_head(name, typed, kind, nullptr)) return std::move(*problem);
  return abi::read_struct(typed);
}

}  // namespace

std::variant<ProviderTable, Problem> check_provider_table(const tenure_provider* table,
                                                          const ModuleImage& image,
                                                          const IdentityCard& card) {
  if (auto problem = check_head("provider", table, TENURE_KIND_PROVIDER, &image)) return std::move(*problem);
  ProviderTable checked;
  checked.provider = abi::read_struct(table);
  const tenure_instance_api* instance = checked.provider.instance;
  if (auto problem = check_provider_slots(checked.provider)) return std::move(*problem);
  if (auto problem = check_head("instance", instance, TENURE_KIND_INSTANCE_API, &image))
    return std::move(*problem);
  checked.instance = abi::read_struct(instance);
  if (auto problem = check_instance_slots(checked.instance)) return std::move(*problem);
  if (auto problem = read_texts(checked, image)) return std::move(*problem);
  if (auto problem = compare_with_card(checked, card)) return std::move(*problem);
  return checked;
}

std::variant<tenure_pool_api, Problem> check_pool_table(const void* table) {
  auto checked = checked_extension<tenure_pool_api>("pool", table, TENURE_KIND_POOL_API);
  if (const auto* pool = std::get_if<tenure_pool_api>(&checked)) {
    if (auto problem = missing_slot(
            {slot("pool.pool_create", pool->pool_create), slot("pool.pool_release", pool->pool_release),
             slot("pool.acquire", pool->acquire), slot("pool.detach", pool->detach),
             slot("pool.give_back", pool->give_back), slot("pool.statistics", pool->statistics),
             slot("pool.trim", pool->trim), slot("pool.thread_exit", pool->thread_exit)})) {
      return std::move(*problem);
    }
  }
  return checked;
}

std::variant<tenure_engine_api, Problem> check_engine_table(const void* table) {
  auto checked = checked_extension<tenure_engine_api>("engine", table, TENURE_KIND_ENGINE_API);
  if (const auto* engine = std::get_if<tenure_engine_api>(&checked)) {
    if (auto problem = missing_slot({slot("engine.engine_create", engine->engine_create),
                                     slot("engine.engine_release", engine->engine_release),
                                     slot("engine.supports", engine->supports),
                                     slot("engine.execute", engine->execute)})) {
      return std::move(*problem);
    }
  }
  return checked;
}

}  // namespace tenure::inline TENURE_BUILD
