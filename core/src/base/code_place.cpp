// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/code_place.hpp"

namespace tenure::inline TENURE_BUILD {

std::string text_of(const CodePlace& place) {
  std::string text(place.operation.empty() ? "an unnamed operation" : place.operation);
  if (!place.file.empty()) text.append(" at ").append(place.file).append(":" + std::to_string(place.line));
  return text;
}

}  // namespace tenure::inline TENURE_BUILD
