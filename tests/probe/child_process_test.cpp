// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"

#include <doctest/doctest.h>

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "probe_fault.hpp"
#include "processor_wait.hpp"

namespace {

using namespace tenure::probe;
using namespace std::chrono_literals;

ChildOutcome run_shell(const std::string& script, std::chrono::milliseconds deadline = 20s) {
  return run_child({.executable = "/bin/sh", .arguments = {"-c", script}, .deadline = deadline});
}

}  // namespace

TEST_SUITE("probe/child_process") {
  TEST_CASE("run_child: an exit status, both streams and the result pipe come back") {
    const ChildOutcome outcome = run_shell("echo out; echo err >&2; printf result >&3; exit 5");

    CHECK(outcome.end == ChildEnd::exited);
    CHECK(outcome.exit_status == 5);
    CHECK(outcome.standard_output.text == "out\n");
    CHECK(outcome.standard_error.text == "err\n");
    CHECK(outcome.result == "result");
  }

  TEST_CASE("run_child: a signal comes back as its number") {
    const ChildOutcome outcome = run_shell("kill -9 $$");

    CHECK(outcome.end == ChildEnd::signalled);
    CHECK(outcome.signal == 9);
  }

  TEST_CASE("run_child: a stream is kept up to its limit and counted to its end") {
    const ChildOutcome outcome = run_shell("head -c 1000000 /dev/zero");

    CHECK(outcome.standard_output.text.size() == CapturedOutput::kept_bytes_max);
    CHECK(outcome.standard_output.bytes == 1'000'000);
  }

  TEST_CASE("run_child: a child that never stops writing is hung at its deadline all the same") {
    const ChildOutcome outcome = run_shell("while :; do echo again; done", 200ms);

    CHECK(outcome.end == ChildEnd::hung);
    CHECK(outcome.standard_output.bytes > 0);
  }

  TEST_CASE("run_child: a child that sleeps past its deadline is hung, for it did not wait for a processor") {
    CHECK(run_shell("sleep 1000", 200ms).end == ChildEnd::hung);
  }

  TEST_CASE("processor_wait: grows while two threads share one processor, and is 0 of no process") {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
    std::atomic<bool> go_on = true;
    std::thread other([&] {
      ::sched_setaffinity(0, sizeof one, &one);
      while (go_on) {
      }
    });
    cpu_set_t all;
    ::sched_getaffinity(0, sizeof all, &all);
    ::sched_setaffinity(0, sizeof one, &one);
    const auto before = processor_wait(::getpid());
    // Ends when the counter moves, which it does on any machine whose kernel keeps it.
    const bool is_kept = std::filesystem::exists("/proc/self/schedstat");
    while (is_kept && processor_wait(::getpid()) == before) {
    }
    go_on = false;
    other.join();
    ::sched_setaffinity(0, sizeof all, &all);
    CHECK(processor_wait(::getpid()) >= before);
    CHECK(processor_wait(-1) == 0ns);
  }

  TEST_CASE("run_child: what a dead child wrote last is not lost, and its offspring is not waited for") {
    const ChildOutcome outcome = run_shell("echo last; sleep 1000 & exit 0");

    CHECK(outcome.end == ChildEnd::exited);
    CHECK(outcome.standard_output.text == "last\n");
  }

  TEST_CASE("run_child: the child leads a process group of its own in an empty folder that is removed") {
    const ChildOutcome outcome =
        run_shell("ps -o pgid= -p $$ | tr -d ' '; echo $$; pwd; ls -A | wc -l; echo kept > file");

    const std::string& text = outcome.standard_output.text;
    const std::string group = text.substr(0, text.find('\n'));
    CHECK(text.find(group + "\n" + group + "\n/") == 0);
    CHECK(text.ends_with("\n0\n"));
    const std::size_t path_begin = text.find('/');
    CHECK_FALSE(std::filesystem::exists(text.substr(path_begin, text.find('\n', path_begin) - path_begin)));
  }

  TEST_CASE("run_child: only variables that choose libraries and devices are handed on") {
    ::setenv("PROBE_TEST_SECRET", "secret", 1);
    ::setenv("LD_LIBRARY_PATH", "/some/where", 1);
    const ChildOutcome outcome = run_shell("env");
    ::unsetenv("PROBE_TEST_SECRET");
    ::unsetenv("LD_LIBRARY_PATH");

    const std::string& text = outcome.standard_output.text;
    CHECK(text.find("secret") == std::string::npos);
    CHECK(text.find("LD_LIBRARY_PATH=/some/where\n") != std::string::npos);
    CHECK(text.find("LC_ALL=C.UTF-8\n") != std::string::npos);
    CHECK(text.find("ASAN_OPTIONS=") != std::string::npos);
  }

  TEST_CASE("run_child: a program that cannot be started is a fault of the probe") {
    CHECK_THROWS_AS(run_child({.executable = "/no/such/program"}), ProbeFault);
  }
}
