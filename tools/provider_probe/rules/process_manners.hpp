// SPDX-License-Identifier: Apache-2.0
// process_manners: the state of the whole process that a provider has no business changing.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tenure::probe {

// A picture of it, taken at one moment.
struct ProcessManners {
  static ProcessManners now();

  // What differs, in words: "the handler of signal 8 (SIGFPE)". Empty when nothing does.
  std::vector<std::string> differences(const ProcessManners& later) const;

  std::array<std::uintptr_t, NSIG> signal_handlers{};
  std::string locale;
  int rounding_mode = 0;
  std::uint32_t floating_point_control = 0;  // flush to zero, denormals, traps; without the sticky flags
  std::string folder;
  std::vector<std::string> environment;
  mode_t umask = 0;
  std::map<int, rlim_t> limits;
};

// The numbers of the threads of this process, and its open file descriptors with what they lead to.
std::vector<int> thread_numbers();
std::map<int, std::string> open_descriptors();

}  // namespace tenure::probe
