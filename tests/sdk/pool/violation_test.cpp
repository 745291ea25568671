// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/violation.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <csignal>
#include <cstddef>
#include <string>

using namespace tenure::sdk::pool;

TEST_CASE("Violation: without a handler the process says which block was damaged on which side and ends") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    ViolationHandler{}({ViolationKind::written_behind_block, nullptr, 100, 103});
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
  CHECK(text.find("of 100 bytes was written behind its last byte (offset 103)") != text.npos);
}

TEST_CASE("Violation: every kind has its words") {
  CHECK(std::string(violation_text(ViolationKind::written_before_block)) == "written before its first byte");
  CHECK(std::string(violation_text(ViolationKind::written_behind_block)) == "written behind its last byte");
  CHECK(std::string(violation_text(ViolationKind::released_twice)) == "released twice");
}
