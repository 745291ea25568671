// SPDX-License-Identifier: Apache-2.0
// death: what a call that ends the process says, run in a child.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace tenure_test {

// The standard error of a child in which `call` runs and aborts. Fails the test when it does not.
template <class Call>
std::string words_of_abort(Call call) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    call();
    _exit(0);
  }
  REQUIRE(child > 0);
  close(ends[1]);
  std::string text;
  char buffer[256];
  for (ssize_t bytes = 0; (bytes = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(bytes));
  }
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
  return text;
}

}  // namespace tenure_test
