// SPDX-License-Identifier: Apache-2.0
// answer_rules: what the provider says when it succeeds, refuses, or is asked for what it does not have.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rules/open_instance.hpp"
#include "rules/text_rules.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"
#include "tenure/abi/code_name.hpp"
#include "tenure/provider_engine.h"
#include "tenure/provider_fault.h"
#include "tenure/provider_pool.h"

namespace tenure::probe {

namespace {

// More than any machine has, and small enough that rounding it up does not overflow.
constexpr std::uint64_t impossible_bytes = std::uint64_t{1} << 62;

std::int32_t open_with_unknown_option(Trial& trial, tenure_instance** out, tenure_status* status) {
  constexpr std::string_view key = "org.tenure.probe.no-such-option";
  const tenure_string keys{key.data(), key.size()};
  const tenure_string values{"1", 1};
  auto arguments = abi::make_struct<tenure_open_args>();
  arguments.keys = &keys;
  arguments.values = &values;
  arguments.count = 1;
  return trial.call(abi::CallSlot::open,
                    [&] { return trial.provider().open(trial.host().table(), &arguments, out, status); });
}

// A call that the contract has the provider refuse. It undoes what it did when it is not refused.
struct Refusal {
  std::string name;
  std::function<std::int32_t(tenure_status*)> call;
};

std::vector<Refusal> refusals(OpenInstance& instance) {
  std::vector<Refusal> calls;
  calls.push_back({"open with an unknown option", [&instance](tenure_status* status) {
                     Trial& trial = instance.trial();
                     tenure_instance* opened = nullptr;
                     const std::int32_t code = open_with_unknown_option(trial, &opened, status);
                     if (code == TENURE_OK) {
                       trial.call(abi::CallSlot::close, [&] { trial.provider().close(opened); });
                     }
                     return code;
                   }});
  calls.push_back({"storage_create of 2^62 bytes", [&instance](tenure_status* status) {
                     auto description = abi::make_struct<tenure_storage_desc>();
                     description.bytes = impossible_bytes;
                     auto info = abi::make_struct<tenure_storage_info>();
                     const std::int32_t code =
                         instance.api().storage_create(instance.handle(), 0, &description, &info, status);
                     if (code == TENURE_OK) {
                       instance.api().storage_release(instance.handle(), info.storage, nullptr);
                     }
                     return code;
                   }});
  return calls;
}

// Makes every refused call with a status, and hands its name, code and status to `judge`. Skips the rule
// when the provider refuses nothing.
template <class Judge>
void for_each_refusal(OpenInstance& instance, Judge&& judge) {
  bool any = false;
  for (const Refusal& refusal : refusals(instance)) {
    Answer answer;
    answer.code = refusal.call(answer.status());
    if (answer.ok()) continue;  // abi.options-unknown and mem.too-large judge that
    any = true;
    judge(refusal.name, answer);
  }
  if (!any) instance.trial().skip_needs("abi.options-unknown", "no call was refused");
}

void options_unknown(Trial& trial) {
  require_available(trial);
  tenure_instance* instance = nullptr;
  Answer answer;
  answer.code = open_with_unknown_option(trial, &instance, answer.status());
  trial.expect(
      answer.code == TENURE_INVALID_ARGUMENT,
      sentence("open with an unknown option answered ", answer.text(), "; expected INVALID_ARGUMENT"));
}

void status_untouched(Trial& trial) {
  OpenInstance instance(trial);
  const auto prepared = [] {
    Answer answer;
    std::memset(reinterpret_cast<char*>(&answer.details) + sizeof(tenure_head), 0x5C,
                sizeof answer.details - sizeof(tenure_head));
    return answer;
  };
  const auto judge = [&](const Answer& answer, const char* name) {
    if (!answer.ok()) return;
    const Answer wanted = prepared();
    trial.expect(std::memcmp(&answer.details, &wanted.details, sizeof wanted.details) == 0,
                 sentence(name, " answered OK and changed the caller's status"));
  };
  const tenure_instance_api& api = instance.api();

  Answer answer = prepared();
  const tenure_provider* provider = nullptr;
  answer.code = trial.call(abi::CallSlot::entry, [&] {
    return trial.image().entry()(trial.host().table(), &provider, answer.status());
  });
  judge(answer, "the entry");

  answer = prepared();
  auto domain = abi::make_struct<tenure_domain_info>();
  answer.code = api.domain_info(instance.handle(), 0, &domain, answer.status());
  judge(answer, "domain_info");

  answer = prepared();
  auto statistics = abi::make_struct<tenure_domain_statistics>();
  answer.code = api.domain_statistics(instance.handle(), 0, &statistics, answer.status());
  judge(answer, "domain_statistics");

  answer = prepared();
  auto description = abi::make_struct<tenure_storage_desc>();
  description.bytes = 64;
  auto info = abi::make_struct<tenure_storage_info>();
  answer.code = api.storage_create(instance.handle(), 0, &description, &info, answer.status());
  judge(answer, "storage_create");
  if (!answer.ok()) return;

  answer = prepared();
  auto again = abi::make_struct<tenure_storage_info>();
  answer.code = api.storage_info(instance.handle(), info.storage, &again, answer.status());
  judge(answer, "storage_info");
  api.storage_release(instance.handle(), info.storage, nullptr);
}

void status_filled(Trial& trial) {
  OpenInstance instance(trial);
  for_each_refusal(instance, [&](const std::string& name, const Answer& answer) {
    const tenure_status& details = answer.details;
    trial.expect(abi::is_status_code(answer.code),
                 sentence(name, " answered ", answer.code, "; the codes end at ", TENURE_UNAUTHENTICATED));
    trial.expect(details.code == answer.code,
                 sentence(name, " answered ", code_text(answer.code), " and wrote ", code_text(details.code),
                          " into the status"));
    const std::string_view message(details.message, ::strnlen(details.message, sizeof details.message));
    trial.expect(!message.empty(), sentence(name, " was refused without a message"));
    trial.expect(message.size() < sizeof details.message, sentence(name, " left its message without an end"));
    trial.expect(is_utf8(message), sentence(name, " was refused with a message that is not UTF-8"));
  });
}

void status_null_ok(Trial& trial) {
  OpenInstance instance(trial);
  for (const Refusal& refusal : refusals(instance)) refusal.call(nullptr);
}

void outputs_null_on_fail(Trial& trial) {
  OpenInstance instance(trial);
  int marker = 0;
  auto* const untouched = reinterpret_cast<tenure_instance*>(&marker);
  tenure_instance* opened = untouched;
  Answer answer;
  if (open_with_unknown_option(trial, &opened, answer.status()) != TENURE_OK) {
    trial.expect(opened == untouched, sentence("a refused open changed its output to ", opened));
  }

  auto info = abi::make_struct<tenure_storage_info>();
  std::memset(reinterpret_cast<char*>(&info) + sizeof(tenure_head), 0x5C, sizeof info - sizeof(tenure_head));
  const tenure_storage_info before = info;
  auto description = abi::make_struct<tenure_storage_desc>();
  description.bytes = impossible_bytes;
  if (instance.api().storage_create(instance.handle(), 0, &description, &info, answer.status()) !=
      TENURE_OK) {
    trial.expect(std::memcmp(&info, &before, sizeof info) == 0,
                 "a refused storage_create changed its output");
  }
}

// Asks the provider and the instance.
void expect_no_extension(OpenInstance& instance, const std::string& id) {
  Trial& trial = instance.trial();
  const tenure_provider& provider = trial.provider();
  if (provider.get_extension == nullptr) trial.skip_needs("abi.required-slots", "get_extension is null");
  const void* of_provider =
      trial.call(abi::CallSlot::provider_get_extension, [&] { return provider.get_extension(id.c_str()); });
  trial.expect(of_provider == nullptr, sentence("the provider has an extension \"", id, '"'));
  const void* of_instance = instance.api().get_extension(instance.handle(), id.c_str());
  trial.expect(of_instance == nullptr, sentence("the instance has an extension \"", id, '"'));
}

void ext_unknown(Trial& trial) {
  OpenInstance instance(trial);
  for (const char* id : {"", "tenure.ext.", "org.tenure.probe.no-such-extension/1"}) {
    expect_no_extension(instance, id);
  }
}

constexpr std::array known_extensions{TENURE_EXT_POOL, TENURE_EXT_ENGINE, TENURE_EXT_FAULT};

void ext_trailing_garbage(Trial& trial) {
  OpenInstance instance(trial);
  bool any = false;
  for (const std::string id : known_extensions) {
    if (instance.api().get_extension(instance.handle(), id.c_str()) == nullptr) continue;
    any = true;
    for (const std::string& other : {id + "0", id + "/1", id + " ", id.substr(0, id.size() - 1)}) {
      expect_no_extension(instance, other);
    }
  }
  if (!any) trial.skip("the provider offers no extension that the contract knows");
}

template <class Table>
bool judge_extension(OpenInstance& instance, const char* id) {
  Trial& trial = instance.trial();
  const auto* table = static_cast<const Table*>(instance.api().get_extension(instance.handle(), id));
  if (table == nullptr) return false;
  trial.expect(
      table->head.kind == abi::kind_of<Table>,
      sentence("the table of ", id, " has kind ", table->head.kind, "; expected ", abi::kind_of<Table>));
  trial.expect(table->head.bytes >= sizeof(Table),
               sentence("the table of ", id, " says that it has ", table->head.bytes,
                        " bytes; expected at least ", sizeof(Table)));
  if constexpr (!std::is_same_v<Table, tenure_fault_api>) {
    abi::visit_slots(*table, [&](auto slot) {
      trial.expect(table->*decltype(slot)::member != nullptr || abi::is_optional(slot.slot),
                   sentence(abi::call_slot_name(slot.slot), " is null in the table of ", id));
    });
  }
  return true;
}

void ext_tables(Trial& trial) {
  OpenInstance instance(trial);
  const std::array offered{judge_extension<tenure_pool_api>(instance, TENURE_EXT_POOL),
                           judge_extension<tenure_engine_api>(instance, TENURE_EXT_ENGINE),
                           judge_extension<tenure_fault_api>(instance, TENURE_EXT_FAULT)};
  if (std::ranges::find(offered, true) == offered.end()) {
    trial.skip("the provider offers no extension that the contract knows");
  }
}

constexpr std::array rules{
    Rule{.name = "abi.options-unknown",
         .sentence = "open refuses an option that it does not know with INVALID_ARGUMENT.",
         .if_ignored = "A misspelt option is taken for granted and does nothing.",
         .advice = "Compare every key with those that the provider reads.",
         .check = options_unknown},
    Rule{.name = "abi.status-untouched",
         .sentence = "A call that answers OK leaves the caller's status as it was.",
         .if_ignored = "The host reports a failure that did not happen.",
         .advice = "Write into the status on failure only.",
         .check = status_untouched},
    Rule{.name = "abi.status-filled",
         .sentence =
             "A refused call answers a code of the contract and fills the status with it and a message.",
         .if_ignored = "Users see a number instead of a reason.",
         .advice = "Fill code and message wherever a code other than OK is returned.",
         .check = status_filled},
    Rule{.name = "abi.status-null-ok",
         .sentence = "The status may be null in every call.",
         .if_ignored = "A host that only wants the code crashes.",
         .advice = "Test the pointer before writing through it.",
         .check = status_null_ok},
    Rule{.name = "abi.outputs-null-on-fail",
         .sentence = "A refused call leaves every output as the caller set it.",
         .if_ignored = "The host releases what was never made.",
         .advice = "Write outputs after the last step that can fail.",
         .check = outputs_null_on_fail},
    Rule{.name = "abi.ext-unknown",
         .sentence = "An extension id that the provider does not know gives null.",
         .if_ignored = "The host calls a table of another kind.",
         .advice = "Compare the whole id and return null at the end.",
         .check = ext_unknown},
    Rule{.name = "abi.ext-trailing-garbage",
         .sentence = "Only the exact extension id gives its table.",
         .if_ignored = "A later version of an extension is taken for the first.",
         .advice = "Compare ids to their ends.",
         .needs = {"abi.ext-unknown"},
         .check = ext_trailing_garbage},
    Rule{.name = "abi.ext-tables",
         .sentence =
             "The table of an extension states its kind and size, and none of its functions is missing.",
         .if_ignored = "The host calls address 0.",
         .advice = "Initialise its head with TENURE_HEAD and fill every slot.",
         .check = ext_tables},
};

}  // namespace

std::span<const Rule> answer_rules() noexcept { return rules; }

}  // namespace tenure::probe
