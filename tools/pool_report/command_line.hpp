// SPDX-License-Identifier: Apache-2.0
// command_line: the arguments of pool-report.
#pragma once

#include <iosfwd>

namespace tenure::pool_report {

// Parses the arguments and runs the command; returns the exit status: 0, 1 when the command failed, 2 for
// arguments that it does not take. Never throws.
int run_command_line(int argc, char** argv, std::ostream& out, std::ostream& error);

}  // namespace tenure::pool_report
