// SPDX-License-Identifier: Apache-2.0
// process_facts: what this process is and holds, as far as loading a provider depends on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tenure/config.h"
#include "tenure/loader/load_options.hpp"

namespace tenure::inline TENURE_BUILD {

// What a provider's identity card is held against.
struct HostFacts {
  std::uint16_t abi_major = 0;
  std::uint16_t abi_minor = 0;
  std::uint16_t isa_level = 0;   // of the CPU and the operating system together; 0: no levels here
  std::uint32_t sanitizers = 0;  // TENURE_SANITIZER_* whose run-time library is in the process
};
HostFacts host_facts();

// True for a process that has more rights than whoever started it: what the environment says is then not
// to be believed.
bool process_is_privileged() noexcept;
PathPolicy default_path_policy(bool privileged) noexcept;

// The variable's value; empty when it is not set and in a privileged process.
std::optional<std::string> trusted_environment(const char* name);

// The path of the mapped module that a request for this library name would be answered with. Maps nothing.
std::optional<std::string> find_loaded_library(const std::string& name);

// True when the symbol is defined in the global scope, which every module can see.
bool process_defines(const std::string& symbol);

}  // namespace tenure::inline TENURE_BUILD
