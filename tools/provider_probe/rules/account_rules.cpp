// SPDX-License-Identifier: Apache-2.0
// account_rules: what a domain refuses, counts, names, trims and imports.
#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rules/block.hpp"
#include "rules/open_instance.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"

namespace tenure::probe {

namespace {

// Each is more than any machine has; the last two overflow when they are rounded up to an alignment.
constexpr std::array<std::uint64_t, 3> impossible_sizes_bytes{std::uint64_t{1} << 62, UINT64_MAX - 63,
                                                              UINT64_MAX};

void too_large(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.domains()) {
    for (const std::uint64_t bytes : impossible_sizes_bytes) {
      tenure_storage_info info{};
      const Answer answer = instance.create(domain.index, bytes, 0, 0, info);
      trial.expect(answer.code == TENURE_RESOURCE_EXHAUSTED,
                   sentence("storage_create of ", bytes, " bytes in ", domain.name, " answered ",
                            answer.text(), "; expected RESOURCE_EXHAUSTED"));
    }
  }
}

void oom_recovers(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.domains()) {
    tenure_storage_info info{};
    if (instance.create(domain.index, impossible_sizes_bytes[0], 0, 0, info).ok()) {
      trial.skip_needs("mem.too-large", "a storage of 2^62 bytes was not refused");
    }
    const Answer answer = instance.create(domain.index, 256, 0, 0, info);
    trial.expect(answer.ok(), sentence("after a refusal, storage_create of 256 bytes in ", domain.name,
                                       " answered ", answer.text()));
    Block block(instance, domain, info);
    if (!block.is_reachable()) continue;
    const auto content = pattern(256, 11);
    block.write(content);
    trial.expect(block.read(256) == content,
                 sentence("after a refusal, a storage in ", domain.name, " does not hold what was written"));
  }
}

void stats_conserve(Trial& trial) {
  OpenInstance instance(trial);
  bool any = false;
  for (const DomainFacts& domain : instance.domains()) {
    const tenure_domain_statistics before = instance.statistics(domain.index);
    std::vector<Block> blocks;
    for (int i = 0; i < 3; ++i) blocks.emplace_back(instance, domain, 1000);
    const tenure_domain_statistics during = instance.statistics(domain.index);
    blocks.clear();
    const tenure_domain_statistics after = instance.statistics(domain.index);
    if (during.create_calls == 0 && during.live_count == 0) continue;
    any = true;

    const auto judge = [&](const char* field, std::uint64_t found, std::uint64_t wanted, const char* when) {
      trial.expect(found == wanted,
                   sentence(field, " of ", domain.name, " is ", found, ' ', when, "; expected ", wanted));
    };
    judge("live_count", during.live_count, before.live_count + 3, "with three storages more");
    judge("live_bytes", during.live_bytes, before.live_bytes + 3000,
          "with three storages of 1000 bytes more");
    judge("create_calls", during.create_calls, before.create_calls + 3, "after three calls more");
    judge("live_count", after.live_count, before.live_count, "after their release");
    judge("live_bytes", after.live_bytes, before.live_bytes, "after their release");
    judge("release_calls", after.release_calls, before.release_calls + 3, "after three calls more");
    const bool reports_peak = during.peak_bytes != 0;
    trial.expect(
        !reports_peak || (during.peak_bytes >= during.live_bytes && after.peak_bytes >= during.peak_bytes),
        sentence("peak_bytes of ", domain.name, " fell, or is below live_bytes"));
  }
  if (!any) trial.skip("the provider does not report statistics");
}

void storage_info(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.domains()) {
    const Block block(instance, domain, 300);
    auto info = abi::make_struct<tenure_storage_info>();
    Answer answer;
    answer.code = instance.api().storage_info(instance.handle(), block.storage(), &info, answer.status());
    trial.expect(answer.ok(), sentence("storage_info in ", domain.name, " answered ", answer.text()));
    const tenure_storage_info& made = block.info();
    trial.expect(
        info.storage == made.storage && info.address == made.address && info.bytes == made.bytes &&
            info.alignment_bytes == made.alignment_bytes && info.allocation_id == made.allocation_id,
        sentence("storage_info and storage_create describe one storage in ", domain.name,
                 " differently: ", info.bytes, " and ", made.bytes, " bytes, ids ", info.allocation_id,
                 " and ", made.allocation_id, ", addresses ", info.address, " and ", made.address));
  }
}

void ids_never_reused(Trial& trial) {
  OpenInstance instance(trial);
  bool any = false;
  for (const DomainFacts& domain : instance.domains()) {
    std::set<std::uint64_t> seen;
    for (int round = 0; round < 3; ++round) {
      std::vector<Block> blocks;
      for (int i = 0; i < 8; ++i) blocks.emplace_back(instance, domain, 64);
      for (const Block& block : blocks) {
        const std::uint64_t id = block.info().allocation_id;
        if (id == 0) continue;
        any = true;
        trial.expect(seen.insert(id).second, sentence("two storages in ", domain.name, " have the id ", id));
      }
    }
  }
  if (!any) trial.skip("no domain gives its storages an identity");
}

void trim_keeps_live(Trial& trial) {
  OpenInstance instance(trial);
  const auto domains = instance.domains();
  for (const DomainFacts& domain : domains) {
    Block kept(instance, domain, 500);
    const auto content = pattern(500, 13);
    if (kept.is_reachable()) kept.write(content);
    Block(instance, domain, 500).release();
    instance.api().trim(instance.handle(), domain.index, 0);
    if (kept.is_reachable()) {
      trial.expect(kept.read(500) == content,
                   sentence("trim changed the bytes of a living storage in ", domain.name));
    }
    tenure_storage_info info{};
    const Answer answer = instance.create(domain.index, 500, 0, 0, info);
    trial.expect(answer.ok(),
                 sentence("after trim, storage_create in ", domain.name, " answered ", answer.text()));
    Block(instance, domain, info).release();
  }
}

// Memory of ours that a provider imports, with a count of the calls of its release.
struct Lent {
  alignas(4096) std::array<std::byte, 4096> bytes{};
  std::atomic<int> releases = 0;

  tenure_import_desc description() noexcept {
    auto description = abi::make_struct<tenure_import_desc>();
    description.address = bytes.data();
    description.bytes = bytes.size();
    description.context = this;
    description.release = [](void* context) noexcept { ++static_cast<Lent*>(context)->releases; };
    return description;
  }
};

// Imports into every domain that takes it and hands the storage to `judge`. Skips the rule when none does.
template <class Judge>
void for_each_import(OpenInstance& instance, Judge&& judge) {
  if (instance.api().storage_import == nullptr) instance.trial().skip("the provider imports no memory");
  bool any = false;
  const auto domains = instance.domains();
  for (const DomainFacts& domain : domains) {
    static Lent lent;  // a provider that releases late must find it alive
    lent.bytes.fill(std::byte{0});
    lent.releases = 0;
    const tenure_import_desc description = lent.description();
    auto info = abi::make_struct<tenure_storage_info>();
    Answer answer;
    answer.code =
        instance.api().storage_import(instance.handle(), domain.index, &description, &info, answer.status());
    if (!answer.ok()) {
      instance.trial().expect(lent.releases == 0, sentence("a refused import into ", domain.name,
                                                           " released the memory, which stays the caller's"));
      continue;
    }
    any = true;
    judge(domain, lent, info);
  }
  if (!any) instance.trial().skip("the provider imports no memory");
}

void import_once(Trial& trial) {
  OpenInstance instance(trial);
  for_each_import(instance, [&](const DomainFacts& domain, const Lent& lent,
                                const tenure_storage_info& info) {
    trial.expect(lent.releases == 0, sentence("memory imported into ", domain.name, " was released at once"));
    std::thread([&] { Block(instance, domain, info).release(); }).join();
    trial.expect(lent.releases == 1, sentence("memory imported into ", domain.name, " was released ",
                                              lent.releases.load(), " times by one storage_release"));
  });
}

void import_in_place(Trial& trial) {
  OpenInstance instance(trial);
  for_each_import(instance, [&](const DomainFacts& domain, Lent& lent, const tenure_storage_info& info) {
    Block block(instance, domain, info);
    if (!domain.is_host_accessible()) return;
    const auto content = pattern(lent.bytes.size(), 17);
    std::ranges::copy(content, lent.bytes.begin());
    trial.expect(block.read(content.size()) == content, sentence("what was written to memory imported into ",
                                                                 domain.name, " is not seen in the storage"));
    const auto other = pattern(lent.bytes.size(), 18);
    block.write(other);
    trial.expect(
        std::ranges::equal(lent.bytes, other),
        sentence("what was written to the storage in ", domain.name, " is not seen in the imported memory"));
  });
}

constexpr std::array rules{
    Rule{.name = "mem.too-large",
         .sentence = "A storage larger than any machine is refused with RESOURCE_EXHAUSTED.",
         .if_ignored = "A wrapped size gives a small storage for a large tensor.",
         .advice = "Check additions and roundings of sizes for overflow.",
         .check = too_large},
    Rule{.name = "mem.oom-recovers",
         .sentence = "After a refused storage the instance works as before.",
         .if_ignored = "One allocation that is too large ends the program.",
         .advice = "Clear the error of the library underneath before returning.",
         .check = oom_recovers},
    Rule{.name = "mem.stats-conserve",
         .sentence = "Statistics count every storage once, and live figures return to where they were.",
         .if_ignored = "Leaks cannot be told from use.",
         .advice = "Count at the end of create and of release, in bytes as requested.",
         .check = stats_conserve},
    Rule{.name = "mem.storage-info",
         .sentence = "storage_info says of a storage what storage_create said.",
         .if_ignored = "Two parts of a program disagree about one piece of memory.",
         .advice = "Fill both answers with one function.",
         .check = storage_info},
    Rule{.name = "mem.ids-never-reused",
         .sentence = "An allocation id is 0, or it is never given to a second storage of the domain.",
         .if_ignored = "A new tensor is taken for one that is gone.",
         .advice = "Count up from 1.",
         .check = ids_never_reused},
    Rule{.name = "mem.trim-keeps-live",
         .sentence = "trim gives back retained memory only: living storages keep their bytes.",
         .if_ignored = "Asking for memory back destroys tensors.",
         .advice = "Let trim free what is on the lists of retained blocks and nothing else.",
         .needs = {"mem.pattern"},
         .check = trim_keeps_live},
    Rule{.name = "mem.import-once",
         .sentence = "Imported memory is released exactly once, when its storage is; a refused import never.",
         .if_ignored = "The user's memory is freed twice or leaks.",
         .advice = "Call release in storage_release and nowhere else.",
         .check = import_once},
    Rule{.name = "mem.import-in-place",
         .sentence = "A storage over imported memory is that memory, not a copy of it.",
         .if_ignored = "The user and the provider see different bytes.",
         .advice = "Map imported memory to the address that was given, or refuse the import.",
         .needs = {"mem.pattern"},
         .check = import_in_place},
};

}  // namespace

std::span<const Rule> account_rules() noexcept { return rules; }

}  // namespace tenure::probe
