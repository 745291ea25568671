// SPDX-License-Identifier: Apache-2.0
// mem_rules: sizes, alignments and bytes of storages, and how the host reaches them.
#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rules/block.hpp"
#include "rules/open_instance.hpp"
#include "rules/text_rules.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"
#include "tenure/abi/checked_math.hpp"

namespace tenure::probe {

namespace {

// Makes a storage for the rule that is about making it: a refusal fails the rule.
Block made(OpenInstance& instance, const DomainFacts& domain, std::uint64_t bytes,
           std::uint64_t alignment_bytes = 0, std::uint32_t flags = 0) {
  tenure_storage_info info{};
  const Answer answer = instance.create(domain.index, bytes, alignment_bytes, flags, info);
  Trial& trial = instance.trial();
  const std::string call =
      sentence("storage_create of ", bytes, " bytes with alignment ", alignment_bytes, " in ", domain.name);
  trial.expect(answer.ok(), sentence(call, " answered ", answer.text()));
  trial.expect(info.storage != nullptr, sentence(call, " answered OK and gave no storage"));
  return {instance, domain, info};
}

void domain_facts(Trial& trial) {
  OpenInstance instance(trial);
  const std::uint64_t devices = instance.api().device_count(instance.handle());
  const auto domains = instance.domains();
  trial.expect(!domains.empty(), "the instance has no domain");
  std::set<std::string> names;
  for (const DomainFacts& domain : domains) {
    const tenure_domain_info& info = domain.info;
    trial.expect(!domain.name.empty() && is_utf8(domain.name),
                 sentence("the name of domain ", domain.index, " is empty or not UTF-8"));
    trial.expect(names.insert(domain.name).second, sentence("two domains are called ", domain.name));
    trial.expect(abi::is_power_of_two(info.alignment_bytes_min),
                 sentence(domain.name, " has a least alignment of ", info.alignment_bytes_min,
                          " bytes; expected a power of two"));
    trial.expect(info.device_index >= -1 &&
                     (info.device_index < 0 || static_cast<std::uint64_t>(info.device_index) < devices),
                 sentence(domain.name, " belongs to device ", info.device_index, "; there are ", devices));
  }
  for (std::uint64_t index = 0; index < devices; ++index) {
    auto info = abi::make_struct<tenure_device_info>();
    Answer answer;
    answer.code = instance.api().device_info(instance.handle(), index, &info, answer.status());
    trial.expect(answer.ok(), sentence("device_info of device ", index, " answered ", answer.text()));
    trial.expect(info.default_domain < domains.size(),
                 sentence("device ", index, " has default domain ", info.default_domain, "; there are ",
                          domains.size()));
  }
}

void holds_pattern(Trial& trial) {
  OpenInstance instance(trial);
  const auto domains = instance.domains();
  bool any = false;
  for (const DomainFacts& domain : domains) {
    std::vector<Block> blocks;
    constexpr std::array<std::uint64_t, 4> sizes_bytes{64, 1000, 4096, 70'001};
    for (const std::uint64_t bytes : sizes_bytes) {
      blocks.push_back(made(instance, domain, bytes));
      if (!blocks.back().is_reachable()) break;
      blocks.back().write(pattern(bytes, static_cast<std::uint32_t>(bytes)));
    }
    if (!blocks.back().is_reachable()) continue;
    any = true;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto wanted = pattern(sizes_bytes[i], static_cast<std::uint32_t>(sizes_bytes[i]));
      const auto found = blocks[i].read(sizes_bytes[i]);
      const auto [at, unused] = std::ranges::mismatch(wanted, found);
      trial.expect(found == wanted, sentence("byte ", at - wanted.begin(), " of ", sizes_bytes[i], " in ",
                                             domain.name, " is not what was written"));
    }
  }
  if (!any) trial.skip("the host can neither map nor copy any domain");
}

void zero_bytes(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.domains()) {
    Block first = made(instance, domain, 0);
    Block second = made(instance, domain, 0);
    trial.expect(first.storage() != second.storage(), "two storages of 0 bytes are one and the same storage");
  }
}

void one_byte(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.domains()) {
    Block block = made(instance, domain, 1);
    trial.expect(block.info().bytes >= 1,
                 sentence("a storage of 1 byte in ", domain.name, " says that it has ", block.info().bytes));
    if (!block.is_reachable()) continue;
    const auto content = pattern(1, 7);
    block.write(content);
    trial.expect(block.read(1) == content, sentence("the byte in ", domain.name, " is not what was written"));
  }
}

void align_sweep(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.domains()) {
    for (std::uint64_t alignment = 1; alignment <= 4096; alignment *= 2) {
      // Two of an odd size, since the first of a fresh range is often aligned by luck.
      const std::array blocks{made(instance, domain, 129, alignment), made(instance, domain, 129, alignment)};
      for (const Block& block : blocks) {
        trial.expect(block.info().alignment_bytes >= alignment,
                     sentence("a storage asked for with alignment ", alignment, " in ", domain.name,
                              " says that it has ", block.info().alignment_bytes));
        if (!domain.is_host_accessible()) continue;
        const HostMapping mapping(instance, block.storage(), TENURE_ACCESS_HOST_READ);
        trial.expect(reinterpret_cast<std::uintptr_t>(mapping.address()) % alignment == 0,
                     sentence("a storage asked for with alignment ", alignment, " in ", domain.name,
                              " lies at ", static_cast<void*>(mapping.address())));
      }
    }
  }
}

void no_overlap(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.host_domains()) {
    std::vector<Block> blocks;
    std::vector<std::unique_ptr<HostMapping>> mappings;
    std::vector<std::pair<std::uintptr_t, std::uint64_t>> ranges;
    for (std::uint64_t i = 0; i < 64; ++i) {
      const std::uint64_t bytes = 16 + i * 24;
      blocks.push_back(made(instance, domain, bytes));
      mappings.push_back(
          std::make_unique<HostMapping>(instance, blocks.back().storage(), TENURE_ACCESS_HOST_READ));
      ranges.emplace_back(reinterpret_cast<std::uintptr_t>(mappings.back()->address()), bytes);
    }
    std::ranges::sort(ranges);
    for (std::size_t i = 1; i < ranges.size(); ++i) {
      trial.expect(ranges[i - 1].first + ranges[i - 1].second <= ranges[i].first,
                   sentence("two of 64 storages in ", domain.name, " overlap at ",
                            reinterpret_cast<void*>(ranges[i].first)));
    }
  }
}

void zero_flag(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.host_domains()) {
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{5000}}) {
      // What is retained after a release is dirty.
      made(instance, domain, bytes).write(pattern(bytes, 3));
      const auto found = made(instance, domain, bytes, 0, TENURE_STORAGE_ZERO).read(bytes);
      const auto dirty = std::ranges::find_if(found, [](std::byte byte) { return byte != std::byte{0}; });
      trial.expect(dirty == found.end(),
                   sentence("byte ", dirty - found.begin(), " of a storage of ", bytes, " bytes in ",
                            domain.name, ", asked for with TENURE_STORAGE_ZERO, is not 0"));
    }
  }
}

void kind_truth(Trial& trial) {
  OpenInstance instance(trial);
  const auto domains = instance.domains();
  for (const DomainFacts& domain : domains) {
    trial.expect(!domain.has_access(TENURE_ACCESS_COHERENT) || domain.is_host_accessible(),
                 sentence(domain.name, " is coherent, but the host cannot read and write it"));
    const Block block(instance, domain, 64);
    for (const std::uint32_t access : {TENURE_ACCESS_HOST_READ, TENURE_ACCESS_HOST_WRITE}) {
      const char* word = access == TENURE_ACCESS_HOST_READ ? "reading" : "writing";
      if (domain.has_access(access)) {
        const HostMapping mapping(instance, block.storage(), access);
        trial.expect(
            !domain.has_access(TENURE_ACCESS_COHERENT) || mapping.address() == block.info().address,
            sentence("a storage in the coherent domain ", domain.name, " lies at ", block.info().address,
                     " and is mapped at ", static_cast<void*>(mapping.address())));
        continue;
      }
      auto mapping = abi::make_struct<tenure_mapping>();
      Answer answer;
      answer.code =
          instance.api().storage_map(instance.handle(), block.storage(), access, &mapping, answer.status());
      trial.expect(
          answer.code == TENURE_FAILED_PRECONDITION,
          sentence("mapping a storage in ", domain.name, " for ", word, ", which its mask does not have, ",
                   "answered ", answer.text(), "; expected FAILED_PRECONDITION"));
    }
  }
}

void map_covers(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.host_domains()) {
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{100}, std::uint64_t{70'000}}) {
      const Block block(instance, domain, bytes);
      const HostMapping mapping(instance, block.storage(), TENURE_ACCESS_HOST_READ);
      trial.expect(mapping.bytes() >= bytes, sentence("the mapping of a storage of ", bytes, " bytes in ",
                                                      domain.name, " has ", mapping.bytes()));
    }
  }
}

void map_nests(Trial& trial) {
  OpenInstance instance(trial);
  for (const DomainFacts& domain : instance.host_domains()) {
    Block block(instance, domain, 64);
    const auto content = pattern(64, 5);
    block.write(content);
    auto outer = std::make_unique<HostMapping>(instance, block.storage(), TENURE_ACCESS_HOST_READ);
    auto inner = abi::make_struct<tenure_mapping>();
    Answer answer;
    answer.code = instance.api().storage_map(instance.handle(), block.storage(), TENURE_ACCESS_HOST_READ,
                                             &inner, answer.status());
    trial.expect(answer.ok(),
                 sentence("a second mapping for reading in ", domain.name, " answered ", answer.text()));
    const auto* bytes = static_cast<const std::byte*>(inner.address);
    trial.expect(std::equal(content.begin(), content.end(), bytes),
                 sentence("a second mapping in ", domain.name, " shows other bytes than were written"));
    instance.api().storage_unmap(instance.handle(), block.storage(), TENURE_ACCESS_HOST_READ);
    trial.expect(
        std::equal(content.begin(), content.end(), outer->address()),
        sentence("after one of two mappings in ", domain.name, " ended, the other shows other bytes"));
  }
}

constexpr std::array rules{
    Rule{.name = "mem.domain-facts",
         .sentence =
             "There is a domain; names are UTF-8 and differ, alignments are powers of two, indices exist.",
         .if_ignored = "The host cannot place a tensor, or computes with a wrong alignment.",
         .advice = "Correct the description of the domain or the device that the message names.",
         .check = domain_facts},
    Rule{.name = "mem.kind-truth",
         .sentence =
             "The host can map a storage for what the domain's access mask says, and for nothing else.",
         .if_ignored =
             "The host touches memory that it cannot reach, or copies what it could have read in place.",
         .advice = "Set exactly the bits that hold, and refuse the others with FAILED_PRECONDITION.",
         .check = kind_truth},
    Rule{.name = "mem.pattern",
         .sentence = "A storage holds the bytes that were written to it.",
         .if_ignored = "Results are wrong.",
         .advice = "Look for storages that share memory, and for copies or mappings that lose bytes.",
         .check = holds_pattern},
    Rule{.name = "mem.zero-bytes",
         .sentence = "A storage of 0 bytes can be made and released like any other.",
         .if_ignored = "Every caller needs a special case for empty tensors.",
         .advice = "Give each storage a handle of its own, whatever its size.",
         .check = zero_bytes},
    Rule{.name = "mem.one-byte",
         .sentence = "A storage of 1 byte holds a byte and says so.",
         .if_ignored = "Scalars of small types are lost.",
         .advice = "Round sizes up, never down.",
         .check = one_byte},
    Rule{.name = "mem.align-sweep",
         .sentence = "A storage has the alignment that was asked for, from 1 to 4096 bytes.",
         .if_ignored = "Vector instructions fault, or kernels take their slow path.",
         .advice = "Allocate with the greater of the asked alignment and the domain's own.",
         .check = align_sweep},
    Rule{.name = "mem.no-overlap",
         .sentence = "Storages that live at the same time share no byte.",
         .if_ignored = "Tensors overwrite one another.",
         .advice = "Look at what is done with a released block, and at sizes that are rounded down.",
         .check = no_overlap},
    Rule{.name = "mem.zero-flag",
         .sentence = "A storage made with TENURE_STORAGE_ZERO is zero, also where memory is used again.",
         .if_ignored = "Old contents show up in new tensors.",
         .advice = "Clear blocks that come back from a list of retained ones.",
         .needs = {"mem.pattern"},
         .check = zero_flag},
    Rule{.name = "mem.map-covers",
         .sentence = "A mapping has at least as many bytes as the storage.",
         .if_ignored = "The host refuses the memory or reads past the end of it.",
         .advice = "Report the storage's bytes in the mapping.",
         .check = map_covers},
    Rule{.name = "mem.map-nests",
         .sentence = "A storage can be mapped for reading again while it is mapped for reading.",
         .if_ignored = "Two readers of one tensor exclude each other.",
         .advice = "Count the mappings of a storage.",
         .needs = {"mem.pattern"},
         .check = map_nests},
};

}  // namespace

std::span<const Rule> mem_rules() noexcept { return rules; }

}  // namespace tenure::probe
