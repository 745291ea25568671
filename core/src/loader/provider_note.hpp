// SPDX-License-Identifier: Apache-2.0
// provider_note: finding and checking the identity card in an ELF file.
#pragma once

#include <string_view>
#include <variant>

#include "loader/elf_file.hpp"
#include "tenure/config.h"
#include "tenure/loader/identity_card.hpp"
#include "tenure/loader/problem.hpp"

namespace tenure::inline TENURE_BUILD {

std::variant<IdentityCard, Problem> read_identity_card(const ElfFile& file);

// [a-z0-9.-], parts separated by single dots, none of them empty.
bool is_provider_id(std::string_view text) noexcept;

// major.minor.patch, optionally followed by - or + and more.
bool is_semantic_version(std::string_view text) noexcept;

}  // namespace tenure::inline TENURE_BUILD
