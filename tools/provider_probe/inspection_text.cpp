// SPDX-License-Identifier: Apache-2.0
#include "inspection_text.hpp"

#include <algorithm>
#include <string_view>

#include "sentence.hpp"

namespace tenure::probe {

namespace {

constexpr std::size_t detail_column = 16;

void add(TextBlock& block, std::string_view label, std::string_view text) {
  block.add(sentence("  ", label), detail_column, text);
}

std::string joined(const std::vector<std::string>& words, std::string_view between = ", ") {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

void add_card(TextBlock& block, const FileFacts& facts) {
  if (facts.id.empty()) {
    add(block, "card", "none");
    return;
  }
  add(block, "ABI",
      sentence("built for ", facts.abi_built, facts.is_draft ? " (draft)" : "", ", needs host ",
               facts.abi_host_min, " or newer; this host has ", facts.host_abi));
  add(block, "built with",
      sentence(facts.compiler, ", SDK ", facts.sdk, ", ", facts.isa_level, ", sanitizer ", facts.sanitizers));
  add(block, "here", sentence(facts.host_isa_level, ", sanitizer ", facts.host_sanitizers));
}

void add_elf(TextBlock& block, const FileFacts& facts) {
  if (facts.type.empty()) return;
  add(block, "file",
      sentence(facts.type, " for ", facts.machine, ", ", byte_text(facts.file_bytes), ", build id ",
               facts.build_id.empty() ? "none" : facts.build_id));
  add(block, "exports",
      sentence(facts.exports_entry ? "the entry" : "no entry", ", ", counted(facts.export_count, "symbol"),
               " in all; needs ", counted(facts.undefined_count, "symbol"), " of others"));
  const auto yes = [](bool holds, std::string_view words) {
    return holds ? sentence(", ", words) : std::string();
  };
  add(block, "linked",
      sentence(facts.relro && facts.bind_now ? "tables read-only once loaded" : "tables stay writable",
               yes(facts.executable_stack, "executable stack"),
               yes(facts.text_relocations, "relocations in code"),
               yes(facts.static_tls, "static thread-local memory"), ", thread-local ",
               byte_text(facts.tls_bytes), ", ", counted(facts.initialiser_count, "initialiser"),
               ", run path ", facts.run_path.empty() ? "none" : facts.run_path));
  add(block, "safety",
      facts.policy_findings.empty() ? "only root and this user can change it"
                                    : joined(facts.policy_findings, "; "));
}

void add_libraries(TextBlock& block, const Inspection& inspection, const std::string& path) {
  for (const LibraryFacts& library : inspection.libraries) {
    const std::string versions =
        library.versions.empty() ? "" : sentence(" (", joined(library.versions), ')');
    const std::string needed_by =
        library.needed_by == path ? "" : sentence(", needed by ", library.needed_by);
    add(block, "needs",
        sentence(library.name, versions, ": ", library.path.empty() ? "NOT FOUND" : library.path, needed_by));
  }
  for (const RuntimeFacts& runtime : inspection.runtimes) {
    add(block, "brings", sentence(runtime.kind, ": ", runtime.path));
  }
}

std::string size_or_unknown(std::uint64_t bytes) { return bytes == 0 ? "not reported" : byte_text(bytes); }

void add_domain(TextBlock& block, const RunDomain& domain) {
  add(block, "domain",
      sentence(domain.name, ": ", domain.memory, ", access ", domain.access, ", ",
               domain.device_index < 0 ? "no device" : sentence("device ", domain.device_index),
               ", alignment ", byte_text(domain.alignment_bytes_min), ", largest storage ",
               size_or_unknown(domain.storage_bytes_max), ", total ", size_or_unknown(domain.total_bytes),
               ", quota ", size_or_unknown(domain.quota_bytes), ", alive ", byte_text(domain.live_bytes),
               " of ", byte_text(domain.reserved_bytes), " reserved"));
}

// One row for each place that a copy starts at, one column for each that it ends at.
void add_copy_grid(TextBlock& block, const RunFacts& facts) {
  std::vector<std::pair<std::string, const std::vector<std::string>*>> sources;
  for (const RunDomain& domain : facts.domains) sources.emplace_back(domain.name, &domain.copies_to);
  sources.emplace_back("host", &facts.host_copies_to);
  add(block, "copies", "from each place to the places in the same order");
  for (const auto& [name, targets] : sources) {
    std::string row;
    for (const auto& [target, unused] : sources) {
      row += std::ranges::find(*targets, target) != targets->end() ? " yes" : "  - ";
    }
    block.add_line(sentence(std::string(detail_column, ' '), row, "  ", name));
  }
}

void add_run(TextBlock& block, const RunFacts& facts) {
  if (!facts.trouble.empty()) {
    add(block, "run", facts.trouble);
    return;
  }
  add(block, "run",
      sentence(facts.name, facts.vendor.empty() ? "" : sentence(" by ", facts.vendor), ", ",
               facts.is_available ? "available here" : sentence("unavailable: ", facts.reason)));
  for (const DeviceFacts& device : facts.devices) {
    add(block, "device", sentence(device.name, ", outputs in domain ", device.default_domain));
  }
  for (const RunDomain& domain : facts.domains) add_domain(block, domain);
  if (!facts.domains.empty()) {
    add(block, "access", "r, w: the host reads, writes; c: coherent; d: device; p: peers");
    add_copy_grid(block, facts);
    add(block, "extensions", facts.extensions.empty() ? "none of the contract's" : joined(facts.extensions));
  }
}

void add_load(TextBlock& block, const LoadTrail& trail) {
  if (!trail.trouble.empty()) {
    add(block, "load", trail.trouble);
    return;
  }
  add(block, "load", trail.summary);
  if (!trail.problem.empty()) add(block, "fails on", sentence(trail.problem, ", at ", trail.stage));
  std::size_t number = 0;
  for (const std::string& step : trail.steps) add(block, sentence("step ", ++number), step);
}

}  // namespace

void add_inspection(TextBlock& block, const FileResult& file) {
  const Inspection& inspection = *file.inspection;
  add_card(block, inspection.file);
  add_elf(block, inspection.file);
  add_libraries(block, inspection, file.path);
  if (inspection.run) {
    add_run(block, *inspection.run);
  } else if (!inspection.file.id.empty()) {
    add(block, "not run", "add --run to ask the provider itself");
  }
  if (inspection.load) add_load(block, *inspection.load);
}

}  // namespace tenure::probe
