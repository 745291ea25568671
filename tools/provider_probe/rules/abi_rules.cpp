// SPDX-License-Identifier: Apache-2.0
// abi_rules: tables, strings and structs that cross the boundary.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "rules/block.hpp"
#include "rules/open_instance.hpp"
#include "rules/text_rules.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"

namespace tenure::probe {

namespace {

template <class T>
void judge_head(Trial& trial, const T& table, const char* name) {
  const tenure_head& head = table.head;
  trial.expect(head.kind == abi::kind_of<T>,
               sentence(name, " has kind ", head.kind, "; expected ", abi::kind_of<T>));
  trial.expect(head.bytes >= sizeof(T),
               sentence(name, " says that it has ", head.bytes, " bytes; expected at least ", sizeof(T)));
  trial.expect(head.zero == 0 && head.ext == nullptr,
               sentence(name, " has a head whose zero or ext is not zero"));
}

void heads(Trial& trial) {
  const tenure_provider& provider = trial.provider();
  judge_head(trial, provider, "the provider table");
  if (provider.instance == nullptr) trial.skip_needs("abi.required-slots", "the instance table is null");
  judge_head(trial, *provider.instance, "the instance table");
}

void required_slots(Trial& trial) {
  const tenure_provider& provider = trial.provider();
  for (const auto& [is_null, name] :
       {std::pair(provider.availability == nullptr, "availability"),
        std::pair(provider.open == nullptr, "open"), std::pair(provider.close == nullptr, "close"),
        std::pair(provider.get_extension == nullptr, "get_extension"),
        std::pair(provider.instance == nullptr, "the instance table")}) {
    trial.expect(!is_null, sentence(name, " is null in the provider table"));
  }
  abi::visit_slots(*provider.instance, [&](auto slot) {
    const bool is_optional = abi::is_optional(slot.slot);
    trial.expect(is_optional || provider.instance->*decltype(slot)::member != nullptr,
                 sentence(abi::call_slot_name(slot.slot), " is null in the instance table"));
  });
}

void tables_in_image(Trial& trial) {
  const tenure_provider& provider = trial.provider();
  const ProviderImage& image = trial.image();
  trial.expect(image.contains(&provider, sizeof provider), "the provider table lies outside the image");
  trial.expect(provider.instance == nullptr || image.contains(provider.instance, sizeof *provider.instance),
               "the instance table lies outside the image");
  for (const auto& [text, name] :
       {std::pair(provider.id, "id"), std::pair(provider.name, "name"),
        std::pair(provider.version, "version"), std::pair(provider.vendor, "vendor")}) {
    trial.expect(text.bytes == 0 || image.contains(text.data, text.bytes),
                 sentence("the string \"", name, "\" lies outside the image"));
  }
}

void strings_utf8(Trial& trial) {
  const tenure_provider& provider = trial.provider();
  for (const auto& [text, name] :
       {std::pair(provider.id, "id"), std::pair(provider.name, "name"),
        std::pair(provider.version, "version"), std::pair(provider.vendor, "vendor")}) {
    trial.expect(is_utf8(view_of(text)), sentence("the string \"", name, "\" is not UTF-8"));
  }
  trial.expect(is_provider_id(view_of(provider.id)),
               sentence("the id is \"", view_of(provider.id), "\"; expected [a-z0-9.-] and not empty"));
  for (const auto& [text, name] :
       {std::pair(provider.name, "name"), std::pair(provider.version, "version")}) {
    trial.expect(text.bytes != 0, sentence("the string \"", name, "\" is empty"));
  }
}

void entry_idempotent(Trial& trial) {
  const tenure_provider* first = &trial.provider();
  for (int call = 2; call <= 4; ++call) {
    const tenure_provider* table = nullptr;
    Answer answer;
    answer.code = trial.call(abi::CallSlot::entry, [&] {
      return trial.image().entry()(trial.host().table(), &table, answer.status());
    });
    trial.expect(answer.ok(), sentence("call ", call, " of the entry answered ", answer.text()));
    trial.expect(table == first, sentence("call ", call, " of the entry gave another table than the first"));
  }
}

void host_inflated(Trial& trial) {
  trial.host().become_newer();
  OpenInstance(trial).close();
}

// A struct as a newer side would pass it: longer, with unknown members after those of today.
template <class T>
struct Longer {
  T known;
  std::array<std::byte, 48> unknown;

  explicit Longer(T value) noexcept : known(value) {
    known.head.bytes = sizeof *this;
    unknown.fill(std::byte{0xA5});
  }
};

void in_inflated(Trial& trial) {
  OpenInstance instance(trial);
  const auto domains = instance.domains();
  auto plain = abi::make_struct<tenure_storage_desc>();
  plain.bytes = 64;
  Longer<tenure_storage_desc> create(plain);
  auto info = abi::make_struct<tenure_storage_info>();
  Answer answer;
  answer.code = instance.api().storage_create(instance.handle(), 0, &create.known, &info, answer.status());
  trial.expect(answer.ok(), sentence("storage_create with a longer descriptor answered ", answer.text()));
  const Block block(instance, domains[0], info);

  auto fill = abi::make_struct<tenure_fill_desc>();
  fill.storage = block.storage();
  fill.bytes = 64;
  fill.pattern_bytes = 1;
  Longer<tenure_fill_desc> longer_fill(fill);
  answer.code = instance.api().fill(instance.handle(), &longer_fill.known, nullptr, answer.status());
  trial.expect(answer.ok(), sentence("fill with a longer descriptor answered ", answer.text()));
}

// An output struct with room behind it, all of it but the head filled with 0x5C.
template <class T>
struct Canary {
  static constexpr std::byte filling{0x5C};
  alignas(T) std::array<std::byte, sizeof(T) + 64> bytes;

  explicit Canary(std::uint32_t told_bytes) noexcept {
    bytes.fill(filling);
    tenure_head head = abi::head_of<T>();
    head.bytes = told_bytes;
    std::memcpy(bytes.data(), &head, sizeof head);
  }
  T* out() noexcept { return reinterpret_cast<T*>(bytes.data()); }
  std::uint32_t told_bytes() const noexcept { return head().bytes; }
  tenure_head head() const noexcept {
    tenure_head head;
    std::memcpy(&head, bytes.data(), sizeof head);
    return head;
  }
  // How many bytes from `begin` on have changed, up to the last one that has.
  std::size_t bytes_changed_from(std::size_t begin) const noexcept {
    std::size_t end = bytes.size();
    while (end > begin && bytes[end - 1] == filling) --end;
    return end - begin;
  }
};

// Calls each function that writes an output struct, with an output that says it has `bytes_of(sizeof)`
// bytes, and hands output, code and name to `judge`.
template <class BytesOf, class Judge>
void for_each_output(OpenInstance& instance, BytesOf&& bytes_of, Judge&& judge) {
  const tenure_instance_api& api = instance.api();
  tenure_instance* handle = instance.handle();
  const auto told = [&](std::size_t size) { return static_cast<std::uint32_t>(bytes_of(size)); };
  Answer answer;

  Canary<tenure_domain_info> domain(told(sizeof(tenure_domain_info)));
  answer.code = api.domain_info(handle, 0, domain.out(), answer.status());
  judge(domain, answer, "domain_info");

  Canary<tenure_domain_statistics> statistics(told(sizeof(tenure_domain_statistics)));
  answer.code = api.domain_statistics(handle, 0, statistics.out(), answer.status());
  judge(statistics, answer, "domain_statistics");

  if (api.device_count(handle) != 0) {
    Canary<tenure_device_info> device(told(sizeof(tenure_device_info)));
    answer.code = api.device_info(handle, 0, device.out(), answer.status());
    judge(device, answer, "device_info");
  }

  auto description = abi::make_struct<tenure_storage_desc>();
  description.bytes = 64;
  Canary<tenure_storage_info> made(told(sizeof(tenure_storage_info)));
  answer.code = api.storage_create(handle, 0, &description, made.out(), answer.status());
  judge(made, answer, "storage_create");
  if (!answer.ok()) return;

  Canary<tenure_storage_info> storage(told(sizeof(tenure_storage_info)));
  answer.code = api.storage_info(handle, made.out()->storage, storage.out(), answer.status());
  judge(storage, answer, "storage_info");
  api.storage_release(handle, made.out()->storage, nullptr);
}

void out_canary(Trial& trial) {
  OpenInstance instance(trial);
  for_each_output(
      instance, [](std::size_t size) { return size; },
      [&]<class T>(const Canary<T>& output, const Answer& answer, const char* name) {
        trial.expect(answer.ok(), sentence(name, " answered ", answer.text()));
        const tenure_head wanted = abi::head_of<T>();
        const tenure_head found = output.head();
        trial.expect(found.bytes == wanted.bytes && found.kind == wanted.kind && found.zero == wanted.zero &&
                         found.ext == wanted.ext,
                     sentence(name, " changed the head of its output"));
        const std::size_t changed = output.bytes_changed_from(sizeof(T));
        trial.expect(changed == 0, sentence(name, " wrote ", changed, " bytes past its output"));
      });
}

void out_short(Trial& trial) {
  OpenInstance instance(trial);
  for_each_output(
      instance, [](std::size_t size) { return (sizeof(tenure_head) + size) / 2 & ~std::size_t{7}; },
      [&]<class T>(const Canary<T>& output, const Answer&, const char* name) {
        const std::size_t changed = output.bytes_changed_from(output.told_bytes());
        trial.expect(changed == 0,
                     sentence(name, " wrote ", changed, " bytes past an output of ", output.told_bytes(),
                              " bytes, which is what an older host passes"));
      });
}

constexpr std::array rules{
    Rule{.name = "abi.heads",
         .sentence = "Every table states its kind and the size that its writer knew.",
         .if_ignored = "The host reads past the end of a table or takes one for another.",
         .advice = "Initialise every head with TENURE_HEAD.",
         .reach = RuleReach::image,
         .check = heads},
    Rule{.name = "abi.required-slots",
         .sentence = "Every function that is not marked optional is there.",
         .if_ignored = "The host calls address 0.",
         .advice = "Fill the slot; a function that cannot work answers UNIMPLEMENTED.",
         .reach = RuleReach::image,
         .check = required_slots},
    Rule{.name = "abi.tables-in-image",
         .sentence = "The tables and their strings lie in the provider's image.",
         .if_ignored = "They are gone while the host still reads them.",
         .advice = "Make tables and strings static and constant.",
         .reach = RuleReach::image,
         .check = tables_in_image},
    Rule{.name = "abi.strings-utf8",
         .sentence = "Strings are UTF-8, the id is [a-z0-9.-], and id, name and version are not empty.",
         .if_ignored = "Messages and reports that quote them cannot be written.",
         .advice = "Write the strings as UTF-8 literals.",
         .reach = RuleReach::image,
         .check = strings_utf8},
    Rule{.name = "abi.entry-idempotent",
         .sentence = "The entry gives the same table at every call.",
         .if_ignored = "Two registries of one process hold different tables of one provider.",
         .advice = "Let the entry return the address of one constant table.",
         .reach = RuleReach::image,
         .needs = {"load.twice"},
         .check = entry_idempotent},
    Rule{.name = "abi.host-inflated",
         .sentence = "A newer host with a longer table is as good as this one.",
         .if_ignored = "The provider stops working with the next release of the host.",
         .advice =
             "Ask for members with TENURE_HAS_MEMBER; compare no size and no minor version for equality.",
         .check = host_inflated},
    Rule{.name = "abi.in-inflated",
         .sentence = "An input struct that is longer than the provider knows is accepted.",
         .if_ignored = "The provider stops working with the next release of the host.",
         .advice = "Read the first min(sizeof own, head.bytes) bytes.",
         .check = in_inflated},
    Rule{.name = "abi.out-canary",
         .sentence = "A function that fills a struct leaves its head alone and writes nothing past it.",
         .if_ignored = "The caller's stack is overwritten.",
         .advice = "Copy members into the caller's struct, never a whole struct of your own.",
         .check = out_canary},
    Rule{.name = "abi.out-short",
         .sentence = "A function that fills a struct writes at most the caller's head.bytes.",
         .if_ignored = "The provider overwrites the stack of an older host.",
         .advice = "Write the first min(sizeof own, head.bytes) bytes.",
         .check = out_short},
};

}  // namespace

std::span<const Rule> abi_rules() noexcept { return rules; }

}  // namespace tenure::probe
