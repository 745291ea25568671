// SPDX-License-Identifier: Apache-2.0
// processor_wait: how long a process could have run and did not, since others had the processors.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace tenure::probe {

// Of the thread that waited longest, since it began; 0 where the system does not say. Time in which a thread
// sleeps or is blocked does not count.
std::chrono::nanoseconds processor_wait(pid_t process);

}  // namespace tenure::probe
