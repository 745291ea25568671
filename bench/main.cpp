// SPDX-License-Identifier: Apache-2.0
// main: tenure-bench, which measures Tenure beside what people use today.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace {

// OpenBLAS reads its variables when it is loaded, before main, in ours and in the peer; the rows are about
// what it does by itself. So the program starts again without them.
void restart_without_openblas_variables(char** argv) {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "OPENBLAS_", 9) == 0)
      names.emplace_back(*variable, std::strcspn(*variable, "="));
  }
  if (names.empty()) return;
  for (const std::string& name : names) ::unsetenv(name.c_str());
  ::execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
  restart_without_openblas_variables(argv);
  return tenure::bench::run_command_line(argc, argv, std::cout, std::cerr);
}
