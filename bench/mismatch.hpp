// SPDX-License-Identifier: Apache-2.0
// mismatch: ours and a peer computed different things, so that comparing their times means nothing.
#pragma once

#include <stdexcept>
#include <string>

namespace tenure::bench {

class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenure::bench
