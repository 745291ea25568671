// SPDX-License-Identifier: Apache-2.0
// elf_rules: what a provider's ELF file must and should be.
#pragma once

#include <vector>

#include "loader/elf_file.hpp"
#include "tenure/config.h"
#include "tenure/loader/file_report.hpp"
#include "tenure/loader/problem.hpp"

namespace tenure::inline TENURE_BUILD {

// The kind of file: a shared object for this machine. Errors only; with one, nothing else is worth a look.
// `is_own_executable`: the file is the running program.
std::vector<Problem> check_elf_kind(const ElfFile& file, bool is_own_executable);

// How it was linked: stack, relocations, thread-local memory, symbols, hardening.
std::vector<Problem> check_elf_linking(const ElfFile& file);

// The entry function, and what else is exported.
std::vector<Problem> check_exports(const ElfFile& file);

ElfSummary summarise(const ElfFile& file);

}  // namespace tenure::inline TENURE_BUILD
