// SPDX-License-Identifier: Apache-2.0
// file_report: everything that can be known about a provider file without running any of its code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tenure/config.h"
#include "tenure/loader/identity_card.hpp"
#include "tenure/loader/load_options.hpp"
#include "tenure/loader/load_stage.hpp"
#include "tenure/loader/problem.hpp"

namespace tenure::inline TENURE_BUILD {

// A library that the file, or one of its libraries, needs.
struct NeededLibrary {
  std::string name;                   // as the file asks for it
  std::string needed_by;              // path
  std::string path;                   // where it was found; empty when it was not
  bool already_loaded = false;        // in this process
  std::vector<std::string> versions;  // the symbol versions asked of it
  std::vector<std::string> searched;  // when it was not found
};

struct ElfSummary {
  std::string machine;  // "x86-64"
  std::string type;     // "shared object"
  std::string soname;
  std::string run_path;  // RUNPATH, or RPATH
  std::string build_id;  // hexadecimal
  bool executable_stack = false;
  bool relro = false;
  bool bind_now = false;
  bool text_relocations = false;
  bool static_tls = false;  // asks for thread-local memory at program start
  bool no_delete = false;
  std::uint64_t tls_bytes = 0;
  std::uint64_t initialisers = 0;    // functions that run when it is mapped, less the compiler's own one
  std::uint32_t sanitizers = 0;      // TENURE_SANITIZER_* that it calls; the identity card may say otherwise
  std::vector<std::string> exports;  // defined symbols that others can see
  std::vector<std::string> unique_symbols;  // of those, the ones shared by the whole process
  std::vector<std::string> undefined;       // symbols asked of others, the weak ones left out
};

// One run-time library of a kind of which a process should have one: TBB, OpenMP, BLAS, an allocator.
struct BroughtRuntime {
  std::string kind;  // "OpenMP"
  std::string path;
  bool already_loaded = false;
};

struct TENURE_API FileReport {
  std::string path_given;
  std::string path_real;  // absolute, without links; empty when it could not be resolved
  std::uint64_t file_bytes = 0;
  std::uint64_t device = 0;  // with inode, the identity of the file
  std::uint64_t inode = 0;
  std::optional<ElfSummary> elf;
  std::optional<IdentityCard> card;
  bool exports_entry = false;
  std::vector<NeededLibrary> needed;  // breadth first
  std::vector<BroughtRuntime> runtimes;
  std::vector<std::string> policy_findings;  // who else could change the file; empty: nobody
  std::uint16_t host_abi_major = 0;
  std::uint16_t host_abi_minor = 0;
  std::uint16_t cpu_isa_level = 0;
  std::uint32_t host_sanitizers = 0;
  std::vector<LoadStep> steps;    // what was looked at and decided, in order
  std::vector<Problem> problems;  // in the order of the load; of the errors, the first is what a load reports

  // The first error, or null: the file can be loaded as far as its bytes tell.
  const Problem* first_error() const noexcept;
};

// Reads the file and what it needs; never runs or maps any of its code, never throws on account of the
// bytes it finds. This is also what Registry::load decides by.
TENURE_API FileReport inspect_file(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace tenure::inline TENURE_BUILD
