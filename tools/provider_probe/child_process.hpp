// SPDX-License-Identifier: Apache-2.0
// child_process: a disposable process in which provider code runs, with a deadline.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "breadcrumb.hpp"

namespace tenure::probe {

// The descriptors that a child inherits, besides the standard three.
inline constexpr int result_descriptor = 3;      // the child writes its result here
inline constexpr int breadcrumb_descriptor = 4;  // the page of its breadcrumb

struct ChildRequest {
  std::string executable = "/proc/self/exe";
  std::vector<std::string> arguments{};        // without the program's name
  std::chrono::milliseconds deadline{10'000};  // of time in which it can run
};

enum class ChildEnd {
  exited,
  signalled,
  hung,  // it was killed at its deadline
};

// What a child wrote to one stream: the first bytes of it, and how much there was.
struct CapturedOutput {
  static constexpr std::size_t kept_bytes_max = 4096;
  std::string text;
  std::uint64_t bytes = 0;
};

struct ChildOutcome {
  ChildEnd end = ChildEnd::exited;
  int exit_status = 0;  // of a child that exited
  int signal = 0;       // of a child that a signal ended
  std::string result;   // what it wrote to result_descriptor
  CapturedOutput standard_output;
  CapturedOutput standard_error;
  BreadcrumbReading breadcrumb;
  std::chrono::milliseconds duration{0};
};

// Runs a child in a process group of its own, in an empty folder, with a scrubbed environment, and blocks
// until it has ended. At the deadline, which no output moves, but which comes later by the time that the
// child waited for a processor, it gets SIGABRT; two seconds later its group
// gets SIGKILL. Whatever it leaves running in its group is killed. Throws ProbeFault when it cannot be
// started.
//
// The child dies with the calling thread.
ChildOutcome run_child(const ChildRequest& request);

}  // namespace tenure::probe
