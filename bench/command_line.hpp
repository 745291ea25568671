// SPDX-License-Identifier: Apache-2.0
// command_line: what tenure-bench's arguments mean.
#pragma once

#include <ostream>

namespace tenure::bench {

enum class ExitCode : int {
  good = 0,
  usage = 2,     // an argument, or a file that an argument names, is wrong
  provider = 3,  // the provider cannot be loaded or opened, or an operation failed
  mismatch = 4   // ours and a peer computed different things
};

// Returns the exit status. Results go to `out`, progress and errors to `error`.
int run_command_line(int argc, char** argv, std::ostream& out, std::ostream& error);

}  // namespace tenure::bench
