// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <barrier>
#include <string>
#include <thread>
#include <vector>

#include "fixtures.hpp"
#include "temporary_folder.hpp"
#include "tenure/loader/registry.hpp"

namespace {

using namespace tenure;
using namespace tenure_test;

const LoadOptions without_policy{.policy = PathPolicy::off, .alias = {}};

// Runs `work(index)` on that many threads at once.
void on_threads(int count, auto work) {
  std::barrier start(count);
  std::vector<std::jthread> threads;
  for (int index = 0; index < count; ++index) {
    threads.emplace_back([&, index] {
      start.arrive_and_wait();
      work(index);
    });
  }
}

}  // namespace

TEST_CASE("Registry: 32 threads that load one file get one provider, whose entry ran once") {
  const TemporaryFolder folder;
  const auto path = folder.copy(fixture("a"), "threads.so");
  Registry registry;
  std::vector<LoadReport> reports(32);
  on_threads(32, [&](int index) {
    reports[static_cast<std::size_t>(index)] = registry.try_load(path, without_policy);
  });

  int fresh = 0;
  for (const LoadReport& report : reports) {
    REQUIRE(report.ok());
    CHECK(*report.provider == *reports[0].provider);
    fresh += report.was_loaded ? 0 : 1;
  }
  CHECK(fresh == 1);
  CHECK(counts_of(path).entries == 1);
  CHECK(registry.providers().size() == 1);
}

TEST_CASE("Registry: threads that load different files all succeed") {
  Registry registry;
  const std::vector<std::string> names{"b", "c", "d"};
  std::vector<LoadReport> reports(12);
  on_threads(12, [&](int index) {
    const auto at = static_cast<std::size_t>(index);
    reports[at] = registry.try_load(fixture(names[at % names.size()]), without_policy);
    registry.providers();
    registry.find("org.tenure.fixture.b");
  });
  for (const LoadReport& report : reports) CHECK(report.ok());
  CHECK(registry.providers().size() == 3);
}

TEST_CASE("Registry: threads that load one broken file all get its failure") {
  Registry registry;
  std::vector<LoadReport> reports(8);
  on_threads(8, [&](int index) {
    reports[static_cast<std::size_t>(index)] = registry.try_load(fixture("wrong_kind"), without_policy);
  });
  for (const LoadReport& report : reports) {
    REQUIRE(report.failure);
    CHECK(report.failure->id == "abi.heads");
  }
  CHECK(registry.providers().empty());
}

TEST_CASE("Registry: of copies of one file that threads load at once, one takes the id") {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> paths;
  for (int i = 0; i < 6; ++i)
    paths.push_back(folder.copy(fixture("good"), "copy" + std::to_string(i) + ".so"));
  Registry registry;
  std::vector<LoadReport> reports(paths.size());
  on_threads(static_cast<int>(paths.size()), [&](int index) {
    const auto at = static_cast<std::size_t>(index);
    reports[at] = registry.try_load(paths[at], without_policy);
  });
  int loaded = 0;
  for (const LoadReport& report : reports) {
    loaded += report.ok() ? 1 : 0;
    if (!report.ok()) CHECK(report.failure->id == "load.id-taken");
  }
  CHECK(loaded == 1);
  CHECK(registry.providers().size() == 1);
}
