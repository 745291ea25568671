// SPDX-License-Identifier: Apache-2.0
// inspection: what a provider's file says, and what the provider says when it is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenure::probe {

// The identity card and the ELF file around it.
struct FileFacts {
  std::uint64_t file_bytes = 0;
  // Of the card; empty without one.
  std::string id;
  std::string version;
  std::string abi_built;     // "1.0"
  std::string abi_host_min;  // the oldest host that will do
  bool is_draft = false;
  std::string compiler;
  std::string sdk;
  std::string isa_level;   // "x86-64-v2", or "baseline"
  std::string sanitizers;  // "address", or "none"
  // Of the host and this machine.
  std::string host_abi;
  std::string host_isa_level;
  std::string host_sanitizers;
  // Of the ELF file; empty when it is none.
  std::string machine;
  std::string type;
  std::string build_id;
  std::string run_path;
  bool exports_entry = false;
  std::uint64_t export_count = 0;
  std::uint64_t undefined_count = 0;
  std::uint64_t initialiser_count = 0;
  std::uint64_t tls_bytes = 0;
  bool executable_stack = false;
  bool relro = false;
  bool bind_now = false;
  bool text_relocations = false;
  bool static_tls = false;
  // Who else than root and this user could change the file.
  std::vector<std::string> policy_findings;
};

// A library that the file or one of its libraries needs.
struct LibraryFacts {
  std::string name;
  std::string needed_by;
  std::string path;  // empty: not found
  std::vector<std::string> versions;
  std::vector<std::string> searched;
};

// A run-time library of which a process should have one.
struct RuntimeFacts {
  std::string kind;
  std::string path;
};

struct DeviceFacts {
  std::string name;
  std::uint64_t default_domain = 0;
};

struct RunDomain {
  std::string name;
  std::string memory;  // "managed"
  std::string access;  // "rw-d-": host reads, host writes, coherent, device, peers
  std::int32_t device_index = 0;
  std::uint64_t alignment_bytes_min = 0;
  // 0 here and below: not reported.
  std::uint64_t storage_bytes_max = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t quota_bytes = 0;
  std::uint64_t live_bytes = 0;
  std::uint64_t reserved_bytes = 0;
  std::vector<std::string> copies_to;  // names of domains; "host" is plain host memory
};

// What the provider itself says, asked in a child.
struct RunFacts {
  std::string name;
  std::string vendor;
  bool is_available = false;
  std::string reason;  // why not
  std::vector<DeviceFacts> devices;
  std::vector<RunDomain> domains;
  std::vector<std::string> host_copies_to;  // from plain host memory
  std::vector<std::string> extensions;      // of those that the contract knows
  std::string trouble;                      // what became of a child that did not get to the end
};

// A load by the core, tried in a child.
struct LoadTrail {
  bool is_loaded = false;
  std::string summary;
  std::string problem;  // the rule or finding that it failed on
  std::string stage;    // "dependencies"
  std::vector<std::string> searched;
  std::vector<std::string> steps;  // every decision, in order
  std::string trouble;             // what became of a child that did not get to the end
};

struct Inspection {
  FileFacts file;
  std::vector<LibraryFacts> libraries;
  std::vector<RuntimeFacts> runtimes;
  std::optional<RunFacts> run;
  std::optional<LoadTrail> load;
};

}  // namespace tenure::probe
