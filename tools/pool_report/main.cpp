// SPDX-License-Identifier: Apache-2.0
// main: pool-report, which shows snapshots of pools and replays their traces.
#include <iostream>

#include "command_line.hpp"

int main(int argc, char** argv) {
  return tenure::pool_report::run_command_line(argc, argv, std::cout, std::cerr);
}
