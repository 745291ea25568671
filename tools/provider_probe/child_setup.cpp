// SPDX-License-Identifier: Apache-2.0
#include "child_setup.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "child_process.hpp"
#include "crash_recorder.hpp"
#include "probe_fault.hpp"
#include "tenure/provider_note.h"

namespace tenure::probe {

namespace {

constexpr rlim_t cpu_seconds_max = 600;

void limit(__rlimit_resource_t resource, rlim_t value) {
  rlimit present{};
  ::getrlimit(resource, &present);
  present.rlim_cur = std::min(present.rlim_max, value);
  present.rlim_max = present.rlim_cur;
  if (::setrlimit(resource, &present) != 0) throw ProbeFault("the child's resources cannot be limited");
}

// A provider that asks for all memory is to be refused, not to take the machine with it. Address space is
// left alone, since drivers reserve far more of it than they use; a sanitizer's shadow counts as data.
void limit_memory() {
  if constexpr (TENURE_SANITIZERS_HERE == 0) {
    const auto page_bytes = static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
    limit(RLIMIT_DATA, static_cast<rlim_t>(::sysconf(_SC_PHYS_PAGES)) * page_bytes);
  }
}

}  // namespace

Breadcrumb& set_up_child(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before the line above
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, child_file_bytes_max);
  limit(RLIMIT_CPU, cpu_seconds_max);
  limit_memory();
  // Never destroyed: a crash in a static destructor is recorded too.
  static Breadcrumb& breadcrumb = *new Breadcrumb(Breadcrumb::attach(FileDescriptor(breadcrumb_descriptor)));
  record_crashes(breadcrumb);
  return breadcrumb;
}

}  // namespace tenure::probe
