// SPDX-License-Identifier: Apache-2.0
#include "ending_signals.hpp"

#include <signal.h>
#include <unistd.h>

#include <system_error>
#include <thread>

#include "temporary_folder.hpp"

namespace tenure::probe {

namespace {

// Who ignores a signal, as nohup does, goes on doing so.
bool is_ignored(int signal) {
  struct sigaction present {};
  return ::sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

[[noreturn]] void end_by(int signal) {
  TemporaryFolder::remove_living();
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace

void tidy_up_on_ending_signals() noexcept {
  sigset_t ending;
  ::sigemptyset(&ending);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    if (!is_ignored(signal)) ::sigaddset(&ending, signal);
  }
  // Every thread inherits the mask, so that the one below is the only one to take them.
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  try {
    std::thread([ending] {
      int signal = 0;
      if (::sigwait(&ending, &signal) == 0) end_by(signal);
    }).detach();
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
  }
}

}  // namespace tenure::probe
