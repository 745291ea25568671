// SPDX-License-Identifier: Apache-2.0
// probe_command: runs provider-probe as a user would.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace tenure::test {

struct ProbeRun {
  int exit_status = -1;
  std::string output;  // of stdout

  nlohmann::json json() const { return nlohmann::json::parse(output); }
};

// `arguments` as a shell takes them. The probe's stderr is thrown away.
inline ProbeRun run_probe(const std::string& probe, const std::string& arguments) {
  FILE* pipe = ::popen((probe + " " + arguments + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("the probe cannot be started");
  ProbeRun run;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    run.output.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  run.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

// The letter that ps shows for a process, 'Z' for one that nobody has reaped; 0 when it is gone.
inline char process_state(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end_of_name = text.rfind(')');
  return end_of_name == std::string::npos || end_of_name + 2 >= text.size() ? '\0' : text[end_of_name + 2];
}

}  // namespace tenure::test
