// SPDX-License-Identifier: Apache-2.0
// Goal: whatever a provider does to its process, the report is whole, true and the only thing on stdout.
// Method: check libraries of the template of broken_providers that crash, hang, flood, leave and lie.
#include <doctest/doctest.h>
#include <sched.h>

#include <cstdlib>
#include <string>

#include "probe_command.hpp"

namespace {

using tenure::test::ProbeRun;
using tenure::test::run_probe;
using Json = nlohmann::json;

std::string library(const std::string& name) { return std::string(PROVIDERS) + "/lib" + name + ".so"; }

ProbeRun check(const std::string& name, const std::string& options) {
  return run_probe(PROBE, "check --format json " + options + " " + library(name));
}

Json rule_of(const ProbeRun& run, const std::string& name) {
  const Json report = run.json();
  for (const Json& rule : report.at("files").at(0).at("rules")) {
    if (rule.at("name") == name) return rule;
  }
  return nullptr;
}

}  // namespace

TEST_SUITE("probe/misconduct") {
  TEST_CASE("check: a crash in a call is reported with the call, the signal and the address") {
    const ProbeRun run = check("crash_in_create", "--only mem.one-byte");

    CHECK(run.exit_status == 7);
    const Json rule = rule_of(run, "mem.one-byte");
    CHECK(rule.at("verdict") == "crashed");
    CHECK(rule.at("place").at("slot") == "storage_create");
    CHECK(rule.at("place").at("inside_call") == true);
    CHECK(rule.at("place").at("signal") == "SIGSEGV");
    CHECK(rule.at("place").at("address") == "0x10");
    CHECK(rule.at("place").at("image_offset") != "");
    CHECK(rule.at("rerun").get<std::string>().find("--only mem.one-byte") != std::string::npos);
  }

  TEST_CASE("check: a library that crashes while it is mapped fails load.now and nothing else is run") {
    const ProbeRun run = check("crash_when_mapped", "");

    CHECK(run.exit_status == 7);
    const Json rule = rule_of(run, "load.now");
    CHECK(rule.at("verdict") == "crashed");
    CHECK(rule.at("place").at("slot") == "dlopen");
    CHECK(rule_of(run, "load.entry").at("needs") == "load.now");
    CHECK(rule_of(run, "mem.pattern").at("verdict") == "skipped");
  }

  TEST_CASE("check: a provider that does not return is killed at the deadline and reported with the call") {
    const ProbeRun run = check("hang_in_open", "--only life.open-close --timeout-scale 0.03");

    CHECK(run.exit_status == 8);
    const Json rule = rule_of(run, "life.open-close");
    CHECK(rule.at("verdict") == "hung");
    CHECK(rule.at("place").at("slot") == "open");
    CHECK(rule.at("place").at("inside_call") == true);
  }

  TEST_CASE("check: a provider that ignores SIGABRT is killed all the same") {
    const ProbeRun run = check("hang_unmoved", "--only life.open-close --timeout-scale 0.03");

    CHECK(run.exit_status == 8);
    CHECK(rule_of(run, "life.open-close").at("verdict") == "hung");
  }

  TEST_CASE("check: a probe that is ended by SIGTERM takes its temporary folders with it") {
    const std::string script =
        "folder=$(mktemp -d); TMPDIR=$folder " PROBE " check --only life.open-close " +
        library("hang_in_open") +
        " >/dev/null & probe=$!; while [ -z \"$(ls -A $folder)\" ]; do sleep 0.02; done; kill $probe;"
        " wait $probe; echo \"$? and $(ls -A $folder | wc -l)\"; rm -rf $folder";
    CHECK(run_probe("sh", "-c '" + script + "'").output == "143 and 0\n");
  }

  TEST_CASE("check: a hang in open hides no other rule, which is skipped and says why") {
    const ProbeRun run = check("hang_in_open", "--only mem.one-byte --timeout-scale 0.03");

    CHECK(run.exit_status == 8);
    CHECK(rule_of(run, "mem.one-byte").at("verdict") == "skipped");
    CHECK(rule_of(run, "mem.one-byte").at("needs") == "life.open-close");
  }

  TEST_CASE("check: what a provider prints is captured and cut, and the report stays one document") {
    const ProbeRun run = check("flood", "--only mem.one-byte --only load.silent");

    CHECK(run.exit_status == 1);
    CHECK(rule_of(run, "load.silent").at("verdict") == "failed");
    const Json rule = rule_of(run, "mem.one-byte");
    CHECK(rule.at("verdict") == "passed");
    CHECK(rule.at("stdout").at("bytes").get<int>() > 1'000'000);
    CHECK(rule.at("stdout").at("text").get<std::string>().size() == 4096);
  }

  TEST_CASE("check: a provider that ends its process with status 0 has crashed") {
    const ProbeRun run = check("exit_in_create", "--only mem.one-byte");

    CHECK(run.exit_status == 7);
    CHECK(rule_of(run, "mem.one-byte").at("verdict") == "crashed");
    CHECK(rule_of(run, "mem.one-byte").at("place").at("slot") == "storage_create");
  }

  TEST_CASE("check: a verdict that a provider writes into the result pipe is not believed") {
    const ProbeRun run = check("forged_verdict", "--only mem.one-byte");

    CHECK(run.exit_status == 7);
    CHECK(rule_of(run, "mem.one-byte").at("verdict") == "crashed");
  }

  TEST_CASE("check: a report that a provider prints is not taken for the probe's") {
    const ProbeRun run = check("forged_report", "--only mem.one-byte");

    CHECK(run.exit_status == 7);
    CHECK(run.json().at("files").size() == 1);
    CHECK(rule_of(run, "life.open-close").at("verdict") == "crashed");
  }

  TEST_CASE("check: a process that a provider leaves behind is ended with its rule") {
    const ProbeRun run = check("left_child", "--only mem.one-byte");

    const Json rule = rule_of(run, "mem.one-byte");
    CHECK(rule.at("verdict") == "passed");
    const std::string text = rule.at("stderr").at("text");
    const pid_t child = std::atoi(text.substr(text.rfind(' ')).c_str());
    REQUIRE(child > 1);
    // It dies a moment after it was killed; then it is gone, or waits for whoever reaps orphans here.
    const auto is_alive = [child] {
      const char state = tenure::test::process_state(child);
      return state != '\0' && state != 'Z' && state != 'X';
    };
    for (int attempt = 0; attempt < 1'000'000 && is_alive(); ++attempt) ::sched_yield();
    CHECK_FALSE(is_alive());
  }

  TEST_CASE("check: the initialiser of a sanitizer is not held against a file that has no identity card") {
    const ProbeRun run = check("calls_sanitizer", "--only file.initialisers --only file.note.present");

    CHECK(run.exit_status == 3);
    CHECK(rule_of(run, "file.note.present").at("verdict") == "failed");
    const Json rule = rule_of(run, "file.initialisers");
    CHECK(rule.at("verdict") == "skipped");
    CHECK(rule.at("message") == "a sanitizer adds initialisers of its own");
  }

  TEST_CASE("check: an unavailable provider is exit 6 with its reason, or exit 0 when that is asked for") {
    const ProbeRun strict = check("unavailable", "");
    const ProbeRun lenient = check("unavailable", "--unavailable skip");

    CHECK(strict.exit_status == 6);
    CHECK(lenient.exit_status == 0);
    const Json rule = rule_of(strict, "mem.one-byte");
    CHECK(rule.at("verdict") == "skipped");
    CHECK(rule.at("unavailable") == true);
    CHECK(rule.at("message") == "there is no such device");
    CHECK(rule_of(strict, "abi.heads").at("verdict") == "passed");
  }

  TEST_CASE("check: the text form of a crash says where, and how to run the rule again") {
    const ProbeRun run = run_probe(PROBE, "check --only mem.one-byte " + library("crash_in_create"));

    CHECK(run.output.find("CRASH") != std::string::npos);
    CHECK(run.output.find("SIGSEGV at 0x10") != std::string::npos);
    CHECK(run.output.find("in storage_create (call ") != std::string::npos);
    CHECK(run.output.find("exit 7 (crashed)") != std::string::npos);
  }
}
