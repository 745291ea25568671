// SPDX-License-Identifier: Apache-2.0
// answer: the code and the status that a call of a provider gave.
#pragma once

#include <cstdint>
#include <string>

#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_abi.h"

namespace tenure::probe {

// The name of a code with its number: "RESOURCE_EXHAUSTED (8)".
std::string code_text(std::int32_t code);

struct Answer {
  std::int32_t code = TENURE_OK;
  tenure_status details = abi::make_struct<tenure_status>();

  // To hand to the provider.
  tenure_status* status() noexcept { return &details; }
  bool ok() const noexcept { return code == TENURE_OK; }
  // The code and, of a failure, the message.
  std::string text() const;
};

}  // namespace tenure::probe
