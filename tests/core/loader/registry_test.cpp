// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/registry.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "loader/process_facts.hpp"
#include "provider_bytes.hpp"
#include "temporary_folder.hpp"
#include "tenure/base/log.hpp"
#include "tenure/loader/file_report.hpp"
#include "tenure/provider_note.h"

namespace {

using namespace tenure;
using namespace tenure_test;

const LoadOptions without_policy{.policy = PathPolicy::off, .alias = {}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Every test loads a file of its own, as a loaded one stays for good; the id must then differ as well.
std::filesystem::path provider_with_id(const TemporaryFolder& folder, const std::string& name,
                                       const std::string& id) {
  ProviderBytes bytes(fixture("good"));
  const std::string old_id = bytes.note().id;
  REQUIRE(id.size() == old_id.size());
  // The card and the table have the same text, in different places of the file.
  for (auto at = bytes.bytes().begin();;) {
    at = std::search(at, bytes.bytes().end(), old_id.c_str(), old_id.c_str() + old_id.size() + 1);
    if (at == bytes.bytes().end()) break;
    at = std::copy(id.begin(), id.end(), at);
  }
  return bytes.write(folder / name);
}

struct CollectedLog {
  CollectedLog() {
    set_log_sink([this](LogLevel level, std::string_view line) {
      const std::lock_guard lock(mutex);
      lines.push_back(std::string(log_level_name(level)) + " " + std::string(line));
    });
  }
  ~CollectedLog() { set_log_sink({}); }
  bool has(std::string_view part) {
    const std::lock_guard lock(mutex);
    return std::ranges::any_of(lines, [&](const std::string& line) { return contains(line, part); });
  }
  std::mutex mutex;
  std::vector<std::string> lines;
};

}  // namespace

TEST_CASE("Registry: a provider is loaded, with all that its card and table say") {
  const TemporaryFolder folder;
  const auto path = provider_with_id(folder, "loaded.so", "org.tenure.test001");
  Registry registry;
  const Provider provider = registry.load(path, without_policy);

  CHECK(provider.id() == "org.tenure.test001");
  CHECK(provider.registered_id() == provider.id());
  CHECK(provider.name() == "A fixture");
  CHECK(provider.version() == "1.0.0");
  CHECK(provider.vendor() == "Tenure");
  CHECK(provider.path() == path.string());
  CHECK(provider.build_id().size() >= 16);
  CHECK(registry.providers() == std::vector<Provider>{provider});
  CHECK(registry.find("org.tenure.test001") == provider);
  CHECK_FALSE(registry.find("org.tenure.nobody"));
  CHECK(counts_of(path).entries == 1);
}

TEST_CASE("Registry: the same file under any of its names is one provider, and its entry runs once") {
  const TemporaryFolder folder;
  const auto path = provider_with_id(folder, "one file.so", "org.tenure.test002");
  std::filesystem::create_symlink(path, folder / "link.so");
  std::filesystem::create_hard_link(path, folder / "hard.so");
  Registry registry;
  const Provider first = registry.load(path, without_policy);
  for (const auto& other : {folder / "link.so", folder / "hard.so", std::filesystem::relative(path)}) {
    const LoadReport report = registry.try_load(other, without_policy);
    REQUIRE(report.ok());
    CHECK(report.was_loaded);
    CHECK(*report.provider == first);
    CHECK(contains(report.summary(), "was loaded before"));
  }
  CHECK(registry.providers().size() == 1);
  CHECK(counts_of(path).entries == 1);

  Registry second;
  CHECK(second.providers().empty());
  CHECK(second.load(path, without_policy) == first);
  CHECK(counts_of(path).entries == 1);
}

TEST_CASE("Registry: a copy of a loaded file is another provider of the same id, which needs an alias") {
  const TemporaryFolder folder;
  const auto path = provider_with_id(folder, "first.so", "org.tenure.test003");
  const auto copy = folder.copy(path, "second.so");
  Registry registry;
  const Provider first = registry.load(path, without_policy);
  const LoadReport refused = registry.try_load(copy, without_policy);

  REQUIRE(refused.failure);
  CHECK(refused.failure->id == "load.id-taken");
  CHECK(refused.failure->code == TENURE_ALREADY_EXISTS);
  CHECK(refused.failure->stage == LoadStage::identity);
  CHECK(contains(refused.failure->message, "org.tenure.test003 1.0.0 from " + path.string()));
  CHECK(contains(refused.failure->message, "build id " + std::string(first.build_id())));
  CHECK(contains(refused.summary(), "(" + copy.string() + ")"));
  CHECK_FALSE(refused.stays_mapped);

  const Provider second = registry.load(copy, {.policy = PathPolicy::off, .alias = "org.tenure.second003"});
  CHECK_FALSE(second == first);
  CHECK(second.id() == first.id());
  CHECK(second.registered_id() == "org.tenure.second003");
  CHECK(registry.find("org.tenure.second003") == second);
  CHECK(registry.find("org.tenure.test003") == first);
  CHECK(registry.providers().size() == 2);
}

TEST_CASE("Registry: an alias that is no id is refused") {
  Registry registry;
  const LoadReport report =
      registry.try_load(fixture("clean"), {.policy = PathPolicy::off, .alias = "No Id"});
  REQUIRE(report.failure);
  CHECK(report.failure->code == TENURE_INVALID_ARGUMENT);
  CHECK(contains(report.failure->message, "'No Id'"));
}

TEST_CASE("Registry: load throws the report that try_load gives") {
  Registry registry;
  try {
    registry.load(fixture("plain"), without_policy);
    FAIL("a plain library was loaded");
  } catch (const LoadError& error) {
    CHECK(error.code() == ErrorCode::load);
    CHECK(error.operation() == "Registry::load");
    CHECK(error.failure().id == "file.note.present");
    CHECK_FALSE(error.report().ok());
    LoadError copy = error;
    CHECK(std::string(copy.what()) == error.what());
    const LoadError taken = std::move(copy);
    CHECK(copy.failure().id == taken.failure().id);  // NOLINT(bugprone-use-after-move)
    CHECK(contains(error.what(), fixture("plain").filename().string() + ")"));
    const std::string text = error.report().text();
    for (const char* part :
         {"stage: note", "code: NOT_FOUND", "rule: file.note.present", "steps:", "1 path: "}) {
      CHECK(contains(text, part));
    }
  }
  CHECK(registry.providers().empty());
}

TEST_CASE("Registry: of many files one that fails does not hide the others") {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> paths{folder / "absent.so",
                                                 provider_with_id(folder, "a.so", "org.tenure.test004"),
                                                 fixture("plain"), fixture("missing_symbol")};
  Registry registry;
  const auto reports = registry.load_many(paths, without_policy);
  REQUIRE(reports.size() == 4);
  CHECK(reports[0].failure->id == "file.found");
  CHECK(reports[1].ok());
  CHECK(reports[2].failure->id == "file.note.present");
  CHECK(reports[3].failure->id == "file.symbols-resolved");
  CHECK(registry.providers().size() == 1);
}

TEST_CASE("Registry: a copy of a registry is an independent set") {
  const TemporaryFolder folder;
  Registry registry;
  registry.load(provider_with_id(folder, "a.so", "org.tenure.test005"), without_policy);
  Registry copy = registry;
  copy.load(provider_with_id(folder, "b.so", "org.tenure.test006"), without_policy);
  CHECK(registry.providers().size() == 1);
  CHECK(copy.providers().size() == 2);
  registry = copy;
  CHECK(registry.providers().size() == 2);
}

TEST_CASE("Registry: a file rebuilt under a loaded path is reported as such") {
  const TemporaryFolder folder;
  const auto path = provider_with_id(folder, "rebuilt.so", "org.tenure.test007");
  Registry registry;
  const Provider first = registry.load(path, without_policy);
  folder.copy(fixture("good_2"), "rebuilt.so");
  const LoadReport report = registry.try_load(path, without_policy);

  REQUIRE(report.failure);
  CHECK(report.failure->id == "load.file-replaced");
  CHECK(contains(report.failure->message, "the file was rebuilt or replaced after it had been loaded"));
  CHECK(contains(report.failure->message, std::string(first.build_id())));
  CHECK(contains(report.failure->message, "org.tenure.fixture 2.0.0"));
  CHECK(contains(report.failure->hint, "Restart the process"));
}

TEST_CASE("Registry: a file replaced after a failed attempt is not mistaken for what stays mapped") {
  const TemporaryFolder folder;
  const auto path = folder.copy(fixture("entry_fails"), "attempt.so");
  Registry registry;
  const LoadReport first = registry.try_load(path, without_policy);
  REQUIRE(first.failure);
  CHECK(first.stays_mapped);
  std::filesystem::remove(path);
  provider_with_id(folder, "attempt.so", "org.tenure.test008");
  const LoadReport second = registry.try_load(path, without_policy);

  REQUIRE(second.failure);
  CHECK(second.failure->stage == LoadStage::recheck);
  CHECK(contains(second.failure->message, "is not the file that was read"));
}

TEST_CASE("Registry: tables that are not right are refused after mapping, register nothing and say so") {
  struct Case {
    const char* fixture;
    LoadStage stage;
    const char* id;
    const char* message;
  };
  for (const Case& each :
       {Case{"entry_fails", LoadStage::entry, "load.entry",
             "answered RESOURCE_EXHAUSTED: the fixture does not want to [errno 5] (fixture_provider.c:fail)"},
        Case{"null_table", LoadStage::table, "abi.heads", "provider must be a table, but is null"},
        Case{"wrong_kind", LoadStage::table, "abi.heads", "provider.head.kind must be 3, but is 2"},
        Case{"no_close", LoadStage::table, "abi.required-slots",
             "provider.close must be a function, but is null"},
        Case{"on_heap", LoadStage::table, "abi.tables-in-image", "provider must be in the provider's image"},
        Case{"other_version", LoadStage::table, "file.note.matches-table",
             "provider.version must be '1.0.0', as on the identity card, but is '9.9.9'"},
        Case{"no_name", LoadStage::table, "abi.strings-utf8", "provider.name must be a name for people"},
        Case{"not_utf8", LoadStage::table, "abi.strings-utf8", "provider.name must be printable UTF-8"},
        Case{"short_instance", LoadStage::table, "abi.required-slots", "instance.trim must be a function"}}) {
    CAPTURE(each.fixture);
    Registry registry;
    const LoadReport report = registry.try_load(fixture(each.fixture), without_policy);
    REQUIRE(report.failure);
    CHECK(report.failure->stage == each.stage);
    CHECK(report.failure->id == each.id);
    CHECK_MESSAGE(contains(report.failure->message, each.message), report.failure->message);
    CHECK(report.stays_mapped);
    CHECK(contains(report.summary(),
                   "The file stays mapped in this process, but nothing of it is registered."));
    CHECK(registry.providers().empty());
    // The id is free again.
    const LoadReport again = registry.try_load(fixture(each.fixture), without_policy);
    CHECK(again.failure->id == each.id);
  }
}

TEST_CASE("Registry: what fails before mapping maps nothing") {
  Registry registry;
  for (const char* name :
       {"plain", "needs_gone", "needs_middle", "missing_symbol", "needs_version", "no_entry"}) {
    const LoadReport report = registry.try_load(fixture(name), without_policy);
    REQUIRE(report.failure);
    CHECK_FALSE(report.stays_mapped);
    CHECK_THROWS(counts_of(fixture(name)));
  }
}

TEST_CASE("Registry: a strict policy refuses, the default warns in the log and in the report") {
  const TemporaryFolder folder;
  const auto path = provider_with_id(folder, "policy.so", "org.tenure.test009");
  REQUIRE(::chmod(path.c_str(), 0666) == 0);
  Registry registry;
  CollectedLog log;
  const LoadReport strict = registry.try_load(path, {.policy = PathPolicy::strict, .alias = {}});
  REQUIRE(strict.failure);
  CHECK(strict.failure->code == TENURE_PERMISSION_DENIED);
  CHECK(contains(strict.summary(), "is writable by everybody"));

  const LoadReport warned = registry.try_load(path);
  REQUIRE(warned.ok());
  CHECK(std::ranges::find(warned.warnings, "file.owner-mode", &Problem::id) != warned.warnings.end());
  CHECK(log.has("warning " + path.string() + ": others could change what is loaded"));
}

TEST_CASE("Registry: the trail is in the log when it is asked for, and a sink may load") {
  const TemporaryFolder folder;
  const auto path = provider_with_id(folder, "trail.so", "org.tenure.test010");
  Registry registry;
  std::string inner;
  std::vector<std::string> lines;
  set_log_sink([&](LogLevel, std::string_view line) {
    lines.emplace_back(line);
    // The file is being loaded by this very thread: that is an answer and not a deadlock.
    if (contains(line, "load identity: a new file") && inner.empty()) {
      inner = "asked";
      const LoadReport report = registry.try_load(path, without_policy);
      inner = report.failure ? report.failure->id : "loaded";
    }
  });
  REQUIRE(::setenv("TENURE_LOADER_DEBUG", "all", 1) == 0);
  const LoadReport report = registry.try_load(path, without_policy);
  REQUIRE(::unsetenv("TENURE_LOADER_DEBUG") == 0);
  set_log_sink({});

  CHECK(report.ok());
  CHECK(inner == "load.recursive");
  for (const char* part :
       {"load path: ", "load note: ", "load open: mapped", "load publish: registered as"}) {
    CHECK(std::ranges::any_of(lines, [&](const std::string& line) { return contains(line, part); }));
  }
}

TEST_CASE("Registry: libraries are expected where the dynamic linker finds them") {
  const FileReport report = inspect_file(fixture("rpath"), without_policy);
  CHECK(report.first_error() == nullptr);
  REQUIRE(report.elf);
  CHECK(report.elf->run_path == "$ORIGIN:$ORIGIN/gone");
  Registry registry;
  REQUIRE(registry.try_load(fixture("rpath"), without_policy).ok());
  for (const NeededLibrary& needed : report.needed) {
    const auto loaded = find_loaded_library(needed.name);
    REQUIRE(loaded);
    CHECK(std::filesystem::equivalent(*loaded, needed.path));
  }
  CHECK(std::ranges::find(report.needed, "libfixture_gone.so", &NeededLibrary::name) != report.needed.end());
}

TEST_CASE("Registry: a path with spaces and other letters, and one relative to the current folder") {
  const TemporaryFolder folder;
  const auto path = provider_with_id(folder, "gr\xc3\xbc\xc3\x9f dich.so", "org.tenure.test011");
  Registry registry;
  const LoadReport report = registry.try_load(std::filesystem::relative(path), without_policy);
  REQUIRE(report.ok());
  CHECK(report.path_real == path.string());
  CHECK(report.path_given == std::filesystem::relative(path).string());
  CHECK(report.provider->path() == path.string());
}

TEST_CASE("Registry: two folders with files of one name are told apart, also by relative paths") {
  const TemporaryFolder first;
  const TemporaryFolder second;
  provider_with_id(first, "same.so", "org.tenure.test012");
  provider_with_id(second, "same.so", "org.tenure.test013");
  const auto before = std::filesystem::current_path();
  Registry registry;
  std::filesystem::current_path(first.path());
  const auto one = registry.try_load("./same.so", without_policy);
  std::filesystem::current_path(second.path());
  const auto two = registry.try_load("same.so", without_policy);
  std::filesystem::current_path(before);

  REQUIRE(one.ok());
  REQUIRE(two.ok());
  CHECK(one.provider->id() == "org.tenure.test012");
  CHECK(two.provider->id() == "org.tenure.test013");
}
