// SPDX-License-Identifier: Apache-2.0
// main: provider-probe, which looks at provider plugins and tests them.
#include <iostream>

#include "child_verb.hpp"
#include "command_line.hpp"
#include "ending_signals.hpp"

int main(int argc, char** argv) {
  tenure::probe::run_child_verb(argc, argv);
  tenure::probe::tidy_up_on_ending_signals();
  return tenure::probe::run_command_line(argc, argv, std::cout, std::cerr);
}
