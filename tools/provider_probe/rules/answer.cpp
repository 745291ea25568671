// SPDX-License-Identifier: Apache-2.0
#include "rules/answer.hpp"

#include <cstring>
#include <string_view>

#include "sentence.hpp"
#include "tenure/abi/code_name.hpp"

namespace tenure::probe {

std::string code_text(std::int32_t code) { return sentence(abi::status_name(code), " (", code, ')'); }

std::string Answer::text() const {
  const std::string_view message(details.message, ::strnlen(details.message, sizeof details.message));
  if (ok() || message.empty()) return code_text(code);
  return sentence(code_text(code), " \"", message, '"');
}

}  // namespace tenure::probe
