// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/instance.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>

#include "fixtures.hpp"
#include "loader/instance_control.hpp"
#include "loader/noted_copies.hpp"
#include "tenure/base/log.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/loader/registry.hpp"

namespace {

using namespace tenure;
using namespace tenure_test;

Provider load(const char* name) {
  Registry registry;
  return registry.load(fixture(name), {.policy = PathPolicy::off, .alias = {}});
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::uint64_t closes() { return counts_of(fixture("good")).closes; }

template <class Call>
std::optional<ProviderError> refusal(Call call) {
  try {
    call();
  } catch (const ProviderError& error) {
    return error;
  }
  return std::nullopt;
}

// Runs `check` in a forked child; true when it answers true there.
bool in_a_child(auto check) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(check() ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("Instance: devices and domains are what the provider says, made safe") {
  const Instance instance = load("good").open();
  const auto devices = instance.devices();
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].name == "fixture:0");
  CHECK(devices[0].default_domain == "fixture:0/second");
  const auto domains = instance.domains();
  REQUIRE(domains.size() == 2);
  CHECK(domains[0].name == "fixture:0/first");
  CHECK(domains[0].memory == TENURE_MEMORY_PAGEABLE);
  CHECK(domains[0].access == (TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE));
  CHECK(domains[0].alignment_bytes_min == 64);
  CHECK(domains[0].storage_bytes_max == UINT64_MAX);
  // A kind of memory that this build does not know is not taken for something the host can touch.
  CHECK(domains[1].memory == TENURE_MEMORY_OPAQUE);
  CHECK(domains[1].access == 0);
  CHECK(instance.control()->default_domain()->name == "fixture:0/second");
  CHECK(instance.provider().id() == "org.tenure.fixture");
}

TEST_CASE("Instance: domain ids are never used twice in a process") {
  const Provider provider = load("good");
  const auto first = provider.open().domains();
  const auto second = provider.open().domains();
  CHECK(first[0].id >= 1);
  CHECK(first[0].id != first[1].id);
  CHECK(second[0].id > first[1].id);
}

TEST_CASE("Instance: statistics come from the provider, and its refusal is passed on") {
  const Instance instance = load("good").open();
  CHECK(instance.statistics("fixture:0/first").live_count == 3);
  CHECK(instance.statistics("fixture:0/first").live_bytes == 96);
  const auto refused = refusal([&] { instance.statistics("fixture:0/second"); });
  REQUIRE(refused);
  CHECK(refused->status_code() == TENURE_UNIMPLEMENTED);
  CHECK(contains(refused->what(), "asking for the statistics of fixture:0/second failed"));
}

TEST_CASE("Instance: an unknown domain is refused with the known names") {
  const Instance instance = load("good").open();
  const auto refused = refusal([&] { instance.statistics("cuda:0"); });
  REQUIRE(refused);
  CHECK(refused->status_code() == TENURE_NOT_FOUND);
  CHECK(contains(
      refused->what(),
      "there is no domain 'cuda:0' in org.tenure.fixture; it has 'fixture:0/first' 'fixture:0/second'"));
}

TEST_CASE("Instance: the last handle closes it, once") {
  const Provider provider = load("good");
  const std::uint64_t before = closes();
  {
    std::optional<Instance> first = provider.open();
    const Instance second = *first;
    first.reset();
    CHECK(closes() == before);
    CHECK_FALSE(second.is_closed());
  }
  CHECK(closes() == before + 1);
}

TEST_CASE("Instance: close refuses while objects live, lists them, and leaves the instance usable") {
  Instance instance = load("good").open();
  InstanceControl& control = *instance.control();
  const std::uint64_t before = closes();
  control.retain(LiveKind::storage, 4096);
  control.retain(LiveKind::storage, 100);
  control.retain(LiveKind::engine, 0);
  const auto refused = refusal([&] { instance.close(); });
  REQUIRE(refused);
  CHECK(refused->status_code() == TENURE_FAILED_PRECONDITION);
  CHECK(contains(refused->what(), "is still in use by 2 storages of 4196 bytes, 1 engine"));
  CHECK_FALSE(instance.is_closed());
  control.retain(LiveKind::pool, 7);

  control.release(LiveKind::pool, 7);
  control.release(LiveKind::storage, 4096);
  control.release(LiveKind::storage, 100);
  control.release(LiveKind::engine, 0);
  instance.close();
  CHECK(instance.is_closed());
  CHECK(closes() == before + 1);
  instance.close();
  CHECK(closes() == before + 1);
}

TEST_CASE("Instance: a closed one makes nothing more and answers no question") {
  Instance instance = load("good").open();
  instance.close();
  const auto retained = refusal([&] { instance.control()->retain(LiveKind::storage, 1); });
  REQUIRE(retained);
  CHECK(retained->status_code() == TENURE_FAILED_PRECONDITION);
  CHECK(
      contains(retained->what(), "a storage was asked of an instance of org.tenure.fixture that is closed"));
  CHECK_FALSE(instance.control()->try_retain(LiveKind::call, 0));
  CHECK(instance.control()->live().is_zero());
  CHECK(refusal([&] { instance.statistics("fixture:0/first"); }));
  CHECK(instance.domains().size() == 2);
}

TEST_CASE("Instance: without a handle it drains and is closed by the last release") {
  const Provider provider = load("good");
  const std::uint64_t before = closes();
  InstanceControl* control = nullptr;
  {
    const Instance instance = provider.open();
    control = instance.control();
    control->retain(LiveKind::storage, 64);
    control->retain(LiveKind::pool, 0);
  }
  CHECK(closes() == before);
  CHECK_FALSE(control->is_closed());
  control->retain(LiveKind::storage, 1);  // what lives may make more
  control->release(LiveKind::pool, 0);
  control->release(LiveKind::storage, 1);
  CHECK(closes() == before);
  control->release(LiveKind::storage, 64);
  CHECK(closes() == before + 1);
  CHECK(control->is_closed());
  CHECK(refusal([&] { control->retain(LiveKind::storage, 1); }));
}

TEST_CASE("Instance: in a forked child an instance of the parent neither closes nor makes anything") {
  const Provider provider = load("good");
  std::optional<Instance> instance = provider.open();
  const std::uint64_t before = closes();
  CHECK(in_a_child([&] {
    const auto closing = refusal([&] { instance->close(); });
    const auto making = refusal([&] { instance->control()->retain(LiveKind::storage, 1); });
    const auto opening = refusal([&] { provider.open(); });
    return closing && closing->status_code() == TENURE_FAILED_PRECONDITION &&
           contains(closing->what(), "opened in the process that this one was forked from") && making &&
           opening && opening->status_code() == TENURE_FAILED_PRECONDITION &&
           contains(opening->what(), "cannot be used after");
  }));
  CHECK(in_a_child([&] {
    instance.reset();
    return closes() == before;
  }));
  instance->close();
  CHECK(closes() == before + 1);
}

TEST_CASE("Instance: a provider that can bear a fork opens and closes in the child") {
  const Provider provider = load("fork_safe");
  Instance instance = provider.open();
  CHECK(in_a_child([&] {
    instance.close();
    return instance.is_closed() && !provider.open().is_closed();
  }));
}

TEST_CASE("Instance: what the host lends to a provider works") {
  const Provider provider = load("good");
  std::string line;
  set_log_sink([&](LogLevel level, std::string_view text) {
    line = std::string(log_level_name(level)) + " " + std::string(text);
  });
  const NotedCopies before = noted_copies();
  const Instance instance = provider.open();
  set_log_sink({});
  CHECK(line == "debug org.tenure.fixture: opening");
  CHECK(noted_copies().calls == before.calls + 1);
  CHECK(noted_copies().bytes == before.bytes + 40);
}

TEST_CASE("Instance: an open that failed forbids a forked child nothing, one that succeeded does") {
  const Provider provider = load("a");
  const OpenOptions failing{{"trouble", std::to_string(FIXTURE_TROUBLE_OPEN_FAILS)}};
  CHECK(refusal([&] { provider.open(failing); }));
  CHECK(provider.availability().available);
  CHECK(in_a_child([&] { return !provider.open().is_closed(); }));
  provider.open();
  CHECK(in_a_child([&] { return refusal([&] { provider.open(); }).has_value(); }));
}
