// SPDX-License-Identifier: Apache-2.0
#include "file_facts.hpp"

#include "sentence.hpp"
#include "tenure/provider_note.h"

namespace tenure::probe {

namespace {

std::string abi_text(unsigned major, unsigned minor) { return sentence(major, '.', minor); }

std::string isa_text(unsigned level) { return level == 0 ? "baseline" : sentence("x86-64-v", level); }

std::string sanitizer_text(std::uint32_t sanitizers) {
  std::string names;
  for (const auto& [bit, name] :
       {std::pair(TENURE_SANITIZER_ADDRESS, "address"), std::pair(TENURE_SANITIZER_THREAD, "thread"),
        std::pair(TENURE_SANITIZER_MEMORY, "memory")}) {
    if ((sanitizers & bit) != 0) names.append(names.empty() ? "" : "+").append(name);
  }
  return names.empty() ? "none" : names;
}

void add_card(const IdentityCard& card, FileFacts& facts) {
  facts.id = card.id;
  facts.version = card.version;
  facts.abi_built = abi_text(card.abi_major, card.abi_minor);
  facts.abi_host_min = abi_text(card.abi_major, card.host_minor_min);
  facts.is_draft = (card.flags & TENURE_NOTE_DRAFT) != 0;
  facts.compiler = card.compiler;
  facts.sdk = card.sdk;
  facts.isa_level = isa_text(card.isa_level);
  facts.sanitizers = sanitizer_text(card.sanitizers);
}

void add_elf(const ElfSummary& elf, FileFacts& facts) {
  facts.machine = elf.machine;
  facts.type = elf.type;
  facts.build_id = elf.build_id;
  facts.run_path = elf.run_path;
  facts.export_count = elf.exports.size();
  facts.undefined_count = elf.undefined.size();
  facts.initialiser_count = elf.initialisers;
  facts.tls_bytes = elf.tls_bytes;
  facts.executable_stack = elf.executable_stack;
  facts.relro = elf.relro;
  facts.bind_now = elf.bind_now;
  facts.text_relocations = elf.text_relocations;
  facts.static_tls = elf.static_tls;
}

}  // namespace

FileResult file_result(const FileReport& report) {
  FileResult result;
  result.path_given = report.path_given;
  result.path = report.path_real;
  if (report.card) result.provider = sentence(report.card->id, ' ', report.card->version);
  return result;
}

Inspection inspection_of(const FileReport& report) {
  Inspection inspection;
  FileFacts& facts = inspection.file;
  facts.file_bytes = report.file_bytes;
  facts.host_abi = abi_text(report.host_abi_major, report.host_abi_minor);
  facts.host_isa_level = isa_text(report.cpu_isa_level);
  facts.host_sanitizers = sanitizer_text(report.host_sanitizers);
  facts.exports_entry = report.exports_entry;
  facts.policy_findings = report.policy_findings;
  if (report.card) add_card(*report.card, facts);
  if (report.elf) add_elf(*report.elf, facts);
  for (const NeededLibrary& library : report.needed) {
    inspection.libraries.push_back(
        {library.name, library.needed_by, library.path, library.versions, library.searched});
  }
  for (const BroughtRuntime& runtime : report.runtimes) {
    inspection.runtimes.push_back({runtime.kind, runtime.path});
  }
  return inspection;
}

}  // namespace tenure::probe
