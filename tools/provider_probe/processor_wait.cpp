// SPDX-License-Identifier: Apache-2.0
#include "processor_wait.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace tenure::probe {

std::chrono::nanoseconds processor_wait(pid_t process) {
  std::uint64_t longest_ns = 0;
  std::error_code gone;
  std::filesystem::directory_iterator thread("/proc/" + std::to_string(process) + "/task", gone);
  while (!gone && thread != std::filesystem::directory_iterator()) {
    // Time on a processor, time spent waiting for one, turns.
    std::ifstream statistics(thread->path() / "schedstat");
    std::uint64_t running_ns = 0;
    std::uint64_t waiting_ns = 0;
    if (statistics >> running_ns >> waiting_ns) longest_ns = std::max(longest_ns, waiting_ns);
    thread.increment(gone);
  }
  return std::chrono::nanoseconds(longest_ns);
}

}  // namespace tenure::probe
