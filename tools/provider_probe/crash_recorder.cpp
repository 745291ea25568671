// SPDX-License-Identifier: Apache-2.0
#include "crash_recorder.hpp"

#include <signal.h>
#include <ucontext.h>

#include <array>
#include <cstddef>

#include "probe_fault.hpp"

namespace tenure::probe {

namespace {

constexpr std::array<int, 5> crash_signals{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

// What a signal handler can reach.
Breadcrumb* recorded_breadcrumb = nullptr;
std::array<struct sigaction, crash_signals.size()> former_actions;

std::uint64_t instruction_of(const void* machine_state) noexcept {
  const auto& registers = static_cast<const ucontext_t*>(machine_state)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return registers.pc;
#else
  return 0;
#endif
}

void on_crash(int signal, siginfo_t* origin, void* machine_state) noexcept {
  recorded_breadcrumb->record_crash(signal, reinterpret_cast<std::uint64_t>(origin->si_addr),
                                    instruction_of(machine_state));
  for (std::size_t i = 0; i < crash_signals.size(); ++i) {
    if (crash_signals[i] == signal) ::sigaction(signal, &former_actions[i], nullptr);
  }
  // A fault strikes again by itself when the instruction is repeated; a signal that was sent does not.
  if (origin->si_code <= 0) ::raise(signal);
}

// A stack overflow leaves no room for a handler on the stack that overflowed.
void ensure_alternate_stack() {
  static std::array<std::byte, 64 * 1024> memory;
  stack_t present{};
  if (::sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE) == 0) return;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  if (::sigaltstack(&stack, nullptr) != 0) throw ProbeFault("the child has no stack for its signal handlers");
}

}  // namespace

void record_crashes(Breadcrumb& breadcrumb) {
  recorded_breadcrumb = &breadcrumb;
  ensure_alternate_stack();
  struct sigaction action {};
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < crash_signals.size(); ++i) {
    if (::sigaction(crash_signals[i], &action, &former_actions[i]) != 0) {
      throw ProbeFault("the child cannot watch for crashes");
    }
  }
}

}  // namespace tenure::probe
