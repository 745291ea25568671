// SPDX-License-Identifier: Apache-2.0
// identity_card: what a provider file says about itself, read without running any of its code.
#pragma once

#include <cstdint>
#include <string>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// The note that provider_note.h describes, checked and copied.
struct IdentityCard {
  std::uint16_t abi_major = 0;
  std::uint16_t abi_minor = 0;       // built against
  std::uint16_t host_minor_min = 0;  // the oldest host that will do
  std::uint16_t isa_level = 0;       // x86-64-v1 to -v4 as 1 to 4; 0: baseline
  std::uint32_t flags = 0;           // TENURE_NOTE_*
  std::uint32_t sanitizers = 0;      // TENURE_SANITIZER_*
  std::string id;
  std::string version;
  std::string sdk;
  std::string compiler;
};

}  // namespace tenure::inline TENURE_BUILD
