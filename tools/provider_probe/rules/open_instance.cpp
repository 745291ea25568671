// SPDX-License-Identifier: Apache-2.0
#include "rules/open_instance.hpp"

#include <cstring>

#include "sentence.hpp"

namespace tenure::probe {

namespace {

// Stands where a required function is missing.
template <class Slot, class Result, class... Arguments>
Result missing_function(Arguments...) noexcept {
  Trial::current().skip_needs("abi.required-slots",
                              sentence(abi::call_slot_name(Slot::slot), " is null in the instance table"));
}

template <class Slot, class Result, class... Arguments>
void replace_missing(Slot, Result (*&function)(Arguments...) noexcept) noexcept {
  if (function == nullptr) function = &missing_function<Slot, Result, Arguments...>;
}

}  // namespace

void require_available(Trial& trial) {
  const tenure_provider& provider = trial.provider();
  if (provider.availability == nullptr) trial.skip_needs("abi.required-slots", "availability is null");
  auto availability = abi::make_struct<tenure_availability>();
  Answer answer;
  answer.code = trial.call(abi::CallSlot::availability, [&] {
    return provider.availability(trial.host().table(), &availability, answer.status());
  });
  if (!answer.ok() || availability.code != TENURE_UNAVAILABLE) return;  // life.availability judges the answer
  trial.skip_unavailable(
      std::string_view(availability.reason, ::strnlen(availability.reason, sizeof availability.reason)));
}

OpenInstance::OpenInstance(Trial& trial) : trial_(trial) {
  require_available(trial);
  const tenure_provider& provider = trial.provider();
  if (provider.open == nullptr || provider.close == nullptr || provider.instance == nullptr) {
    trial.skip_needs("abi.required-slots", "open, close or the instance table is null");
  }
  Answer answer;
  answer.code = trial.call(abi::CallSlot::open, [&] {
    return provider.open(trial.host().table(), nullptr, &object_, answer.status());
  });
  if (!answer.ok()) trial.skip_needs(open_rule, sentence("open without options answered ", answer.text()));
  if (object_ == nullptr) trial.skip_needs(open_rule, "open answered OK and gave no instance");
  interposer_.emplace(*provider.instance, object_, trial);
  api_ = interposer_->table();
  abi::visit_slots(api_, [this](auto slot) {
    if (slot.slot != abi::CallSlot::storage_import) replace_missing(slot, api_.*decltype(slot)::member);
  });
}

OpenInstance::~OpenInstance() {
  if (object_ != nullptr) close();
}

void OpenInstance::close() {
  trial_.call(abi::CallSlot::close, [this] { trial_.provider().close(object_); });
  object_ = nullptr;
}

std::vector<DomainFacts> OpenInstance::domains() {
  std::vector<DomainFacts> domains(api_.domain_count(handle()));
  for (std::uint64_t index = 0; index < domains.size(); ++index) {
    DomainFacts& domain = domains[index];
    domain.index = index;
    domain.info = abi::make_struct<tenure_domain_info>();
    Answer answer;
    answer.code = api_.domain_info(handle(), index, &domain.info, answer.status());
    if (!answer.ok()) {
      trial_.skip_needs("mem.domain-facts",
                        sentence("domain_info of domain ", index, " answered ", answer.text()));
    }
    domain.name = view_of(domain.info.name);
  }
  return domains;
}

std::vector<DomainFacts> OpenInstance::host_domains() {
  std::vector<DomainFacts> found = domains();
  std::erase_if(found, [](const DomainFacts& domain) { return !domain.is_host_accessible(); });
  if (found.empty()) trial_.skip("no domain is readable and writable by the host");
  return found;
}

tenure_domain_statistics OpenInstance::statistics(std::uint64_t domain) {
  auto statistics = abi::make_struct<tenure_domain_statistics>();
  Answer answer;
  answer.code = api_.domain_statistics(handle(), domain, &statistics, answer.status());
  if (!answer.ok()) {
    trial_.skip_needs("mem.stats-conserve",
                      sentence("domain_statistics of domain ", domain, " answered ", answer.text()));
  }
  return statistics;
}

Answer OpenInstance::create(std::uint64_t domain, std::uint64_t bytes, std::uint64_t alignment_bytes,
                            std::uint32_t flags, tenure_storage_info& out) {
  auto description = abi::make_struct<tenure_storage_desc>();
  description.bytes = bytes;
  description.alignment_bytes = alignment_bytes;
  description.flags = flags;
  out = abi::make_struct<tenure_storage_info>();
  Answer answer;
  answer.code = api_.storage_create(handle(), domain, &description, &out, answer.status());
  return answer;
}

}  // namespace tenure::probe
