// SPDX-License-Identifier: Apache-2.0
#include "rules/process_manners.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "file_descriptor.hpp"

namespace {

using namespace tenure::probe;

// What is seen of `change`, which `restore` undoes.
std::vector<std::string> seen(const std::function<void()>& change, const std::function<void()>& restore) {
  const auto before = ProcessManners::now();
  change();
  const auto after = ProcessManners::now();
  restore();
  REQUIRE(before.differences(ProcessManners::now()).empty());
  return before.differences(after);
}

}  // namespace

TEST_SUITE("probe/process_manners") {
  TEST_CASE("ProcessManners: nothing differs when nothing was changed") {
    CHECK(ProcessManners::now().differences(ProcessManners::now()).empty());
  }

  TEST_CASE("ProcessManners: each thing that was changed is named, and nothing else") {
    const auto folder = std::filesystem::current_path();
    const auto one = [](const std::vector<std::string>& found, const char* word) {
      CHECK(found.size() == 1);
      return !found.empty() && found[0].find(word) != std::string::npos;
    };
    CHECK(
        one(seen([] { std::signal(SIGUSR2, SIG_IGN); }, [] { std::signal(SIGUSR2, SIG_DFL); }), "signal 12"));
    CHECK(one(seen([] { std::setlocale(LC_NUMERIC, "C.UTF-8"); }, [] { std::setlocale(LC_NUMERIC, "C"); }),
              "locale"));
    CHECK(one(seen([] { ::umask(0123); }, [] { ::umask(022); }), "umask"));
    CHECK(one(seen([] { ::setenv("PROBE_TEST_NEW", "1", 1); }, [] { ::unsetenv("PROBE_TEST_NEW"); }),
              "environment"));
    CHECK(one(seen([] { ::chdir("/") == 0 ? void() : std::abort(); },
                   [&] { std::filesystem::current_path(folder); }),
              "folder"));
  }

  TEST_CASE("ProcessManners: a changed rounding mode is seen") {
    const auto found = seen([] { std::fesetround(FE_UPWARD); }, [] { std::fesetround(FE_TONEAREST); });

    CHECK_FALSE(found.empty());
  }

  TEST_CASE("open_descriptors: a descriptor is listed with what it leads to while it is open") {
    FileDescriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const int number = file.number();

    CHECK(open_descriptors().at(number) == "/dev/null");
    file.close();
    CHECK_FALSE(open_descriptors().contains(number));
  }

  TEST_CASE("thread_numbers: the calling thread is one of them") {
    const auto numbers = thread_numbers();

    CHECK(std::ranges::find(numbers, ::gettid()) != numbers.end());
  }
}
