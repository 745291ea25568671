// SPDX-License-Identifier: Apache-2.0
// command_line: the arguments of provider-probe.
#pragma once

#include <iosfwd>

namespace tenure::probe {

// Parses the arguments, runs the command and prints its report; returns the exit status. Never throws.
int run_command_line(int argc, char** argv, std::ostream& out, std::ostream& error);

}  // namespace tenure::probe
