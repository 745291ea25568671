// SPDX-License-Identifier: Apache-2.0
#include "rules/inspection_tasks.hpp"

#include <cstring>

#include "inspection_json.hpp"
#include "rules/open_instance.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"
#include "tenure/abi/code_name.hpp"
#include "tenure/loader/registry.hpp"
#include "tenure/provider_engine.h"
#include "tenure/provider_fault.h"
#include "tenure/provider_pool.h"

namespace tenure::probe {

namespace {

std::string access_text(std::uint32_t access) {
  std::string text = "-----";
  constexpr std::string_view letters = "rwcdp";
  constexpr std::uint32_t bits[] = {TENURE_ACCESS_HOST_READ, TENURE_ACCESS_HOST_WRITE, TENURE_ACCESS_COHERENT,
                                    TENURE_ACCESS_DEVICE, TENURE_ACCESS_PEER};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((access & bits[i]) != 0) text[i] = letters[i];
  }
  return text;
}

std::vector<std::string> copy_targets(OpenInstance& instance, const std::vector<DomainFacts>& domains,
                                      std::uint64_t source) {
  std::vector<std::string> names;
  for (const DomainFacts& domain : domains) {
    if (instance.can_copy(source, domain.index)) names.push_back(domain.name);
  }
  if (instance.can_copy(source, TENURE_DOMAIN_HOST)) names.emplace_back("host");
  return names;
}

void ask_instance(OpenInstance& instance, RunFacts& facts) {
  const std::uint64_t device_count = instance.api().device_count(instance.handle());
  for (std::uint64_t index = 0; index < device_count; ++index) {
    auto info = abi::make_struct<tenure_device_info>();
    instance.api().device_info(instance.handle(), index, &info, nullptr);
    facts.devices.push_back({std::string(view_of(info.name)), info.default_domain});
  }
  const auto domains = instance.domains();
  for (const DomainFacts& domain : domains) {
    const tenure_domain_info& info = domain.info;
    const tenure_domain_statistics statistics = instance.statistics(domain.index);
    facts.domains.push_back({.name = domain.name,
                             .memory = std::string(abi::memory_name(info.memory)),
                             .access = access_text(info.access),
                             .device_index = info.device_index,
                             .alignment_bytes_min = info.alignment_bytes_min,
                             .storage_bytes_max = info.storage_bytes_max,
                             .total_bytes = info.total_bytes,
                             .quota_bytes = info.quota_bytes,
                             .live_bytes = statistics.live_bytes,
                             .reserved_bytes = statistics.reserved_bytes,
                             .copies_to = copy_targets(instance, domains, domain.index)});
  }
  facts.host_copies_to = copy_targets(instance, domains, TENURE_DOMAIN_HOST);
  for (const char* id : {TENURE_EXT_POOL, TENURE_EXT_ENGINE, TENURE_EXT_FAULT}) {
    if (instance.api().get_extension(instance.handle(), id) != nullptr) facts.extensions.emplace_back(id);
  }
}

void ask_provider(Trial& trial) {
  const tenure_provider& provider = trial.provider();
  RunFacts facts;
  facts.name = view_of(provider.name);
  facts.vendor = view_of(provider.vendor);
  auto availability = abi::make_struct<tenure_availability>();
  Answer answer;
  answer.code = trial.call(abi::CallSlot::availability, [&] {
    return provider.availability(trial.host().table(), &availability, answer.status());
  });
  facts.is_available = answer.ok() && availability.code == TENURE_OK;
  facts.reason = answer.ok() ? std::string(availability.reason,
                                           ::strnlen(availability.reason, sizeof availability.reason))
                             : sentence("availability answered ", answer.text());
  if (facts.is_available) {
    OpenInstance instance(trial);
    ask_instance(instance, facts);
  }
  trial.pass_with("run", json_from(facts));
}

void load_with_core(Trial& trial) {
  Registry registry;
  const LoadReport report =
      trial.call(abi::CallSlot::map_image, [&] { return registry.try_load(trial.file()); });
  LoadTrail trail;
  trail.is_loaded = report.ok();
  trail.summary = report.summary();
  if (report.failure) {
    trail.problem = report.failure->id;
    trail.stage = load_stage_name(report.failure->stage);
    trail.searched = report.failure->searched;
  }
  for (const LoadStep& step : report.steps) {
    trail.steps.push_back(sentence(load_stage_name(step.stage), ": ", step.decision));
  }
  trial.pass_with("load", json_from(trail));
}

}  // namespace

const Rule& run_facts_task() noexcept {
  static constexpr Rule task{.name = "inspect.run",
                             .sentence = "The provider answers what it is asked.",
                             .if_ignored = "It cannot be inspected.",
                             .advice = "See provider-probe check.",
                             .deadline_s = 20,
                             .check = ask_provider};
  return task;
}

const Rule& load_trail_task() noexcept {
  static constexpr Rule task{.name = "inspect.why",
                             .sentence = "The core loads the file or says why not.",
                             .if_ignored = "It cannot be inspected.",
                             .advice = "See provider-probe check.",
                             .deadline_s = 20,
                             .check = load_with_core};
  return task;
}

}  // namespace tenure::probe
