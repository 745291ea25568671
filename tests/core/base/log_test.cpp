// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/log.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using tenure::log;
using tenure::LogLevel;
using tenure::set_log_sink;

TEST_CASE("log: lines go to the sink that was set, with their level") {
  std::vector<std::string> lines;
  set_log_sink([&](LogLevel level, std::string_view line) {
    lines.push_back(std::string(tenure::log_level_name(level)) + " " + std::string(line));
  });
  log(LogLevel::error, "one");
  log(LogLevel::debug, "two");
  set_log_sink({});
  CHECK(lines == std::vector<std::string>{"error one", "debug two"});
}

TEST_CASE("log: a sink may replace itself and may throw") {
  int calls = 0;
  set_log_sink([&](LogLevel, std::string_view) {
    ++calls;
    set_log_sink([&](LogLevel, std::string_view) {
      ++calls;
      throw std::runtime_error("lost");
    });
  });
  log(LogLevel::info, "one");
  log(LogLevel::info, "two");
  set_log_sink({});
  CHECK(calls == 2);
}

TEST_CASE("log: without a sink all but debug lines go to standard error") {
  std::FILE* const captured = std::tmpfile();
  REQUIRE(captured != nullptr);
  const int before = ::dup(STDERR_FILENO);
  REQUIRE(::dup2(::fileno(captured), STDERR_FILENO) >= 0);
  log(LogLevel::info, "shown");
  log(LogLevel::debug, "not shown");
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  std::rewind(captured);
  std::string text(100, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), captured));
  std::fclose(captured);
  CHECK(text == "tenure info: shown\n");
}

TEST_CASE("log: threads may log while the sink is exchanged") {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 500; ++i) log(LogLevel::debug, "line");
    });
  }
  for (int i = 0; i < 500; ++i) set_log_sink([](LogLevel, std::string_view) {});
  threads.clear();
  set_log_sink({});
}

TEST_CASE("log_level_name: every level has its name and an unknown one is the least urgent") {
  CHECK(tenure::log_level_name(LogLevel::warning) == "warning");
  CHECK(tenure::log_level_name(static_cast<LogLevel>(17)) == "debug");
}
