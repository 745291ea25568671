// SPDX-License-Identifier: Apache-2.0
// Goal: text and JSON say the same. Method: the text of a report and of the report read from its JSON are
// one and the same, for reports in which every member is set.
#include "report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "probe_fault.hpp"
#include "report_json.hpp"
#include "report_text.hpp"

namespace {

using namespace tenure::probe;

Inspection full_inspection() {
  Inspection inspection;
  inspection.file.file_bytes = 123'456;
  inspection.file.id = "org.example.x";
  inspection.file.version = "1.0.0";
  inspection.file.abi_built = "1.0";
  inspection.file.is_draft = true;
  inspection.file.type = "shared object";
  inspection.file.policy_findings = {"/p belongs to user 7"};
  inspection.libraries = {{"libc.so.6", "/p/libx.so", "/lib/libc.so.6", {"GLIBC_2.34"}, {}},
                          {"libfoo.so.2", "/p/libx.so", "", {}, {"RUNPATH /p", "/lib"}}};
  inspection.runtimes = {{"OpenMP", "/lib/libgomp.so.1"}};
  RunFacts run;
  run.name = "X";
  run.vendor = "Example";
  run.is_available = true;
  run.devices = {{"x:0", 1}};
  RunDomain domain;
  domain.name = "x:0/host";
  domain.memory = "pageable";
  domain.access = "rwc--";
  domain.alignment_bytes_min = 64;
  domain.live_bytes = 1'000'000;
  domain.copies_to = {"host"};
  run.domains = {domain};
  run.host_copies_to = {"x:0/host"};
  run.extensions = {"tenure.ext.pool/1"};
  inspection.run = run;
  LoadTrail load;
  load.summary = "libfoo.so.2 was not found. (/p/libx.so)";
  load.problem = "file.deps-resolved";
  load.stage = "dependencies";
  load.searched = {"/lib"};
  load.steps = {"path: /p/libx.so", "dependencies: libfoo.so.2: not found"};
  inspection.load = load;
  return inspection;
}

Report full_report() {
  RuleResult crashed{.name = "mem.one-byte",
                     .verdict = Verdict::crashed,
                     .message = "ended by SIGSEGV, without a verdict",
                     .needs = {},
                     .unavailable = false,
                     .call_count = 118,
                     .duration_ms = 1234,
                     .place = CrashPlace{.slot = "storage_release",
                                         .call_number = 118,
                                         .thread = 3,
                                         .inside_call = true,
                                         .signal = "SIGSEGV",
                                         .address = "0x10",
                                         .image_offset = "0x41c2"},
                     .standard_output = {"first line\nsecond line\n", 23},
                     .standard_error = {"a part", 5'000'000},
                     .rerun = "provider-probe check '/p/libx.so' --only mem.one-byte"};
  RuleResult skipped;
  skipped.name = "copy.pairs";
  skipped.verdict = Verdict::skipped;
  skipped.needs = "mem.pattern";
  skipped.message = "needs mem.pattern, which failed";
  FileResult file;
  file.path_given = "libx.so";
  file.path = "/p/libx.so";
  file.provider = "org.example.x 1.0.0";
  file.exit_code = ExitCode::crashed;
  file.inspection = full_inspection();
  file.rules = {crashed, skipped};
  file.problems = {{.id = "file.relro-now",
                    .severity = "warning",
                    .message = "the tables stay writable",
                    .hint = "Link with -z relro -z now.",
                    .evidence = {"no GNU_RELRO"}}};
  return {.command = "check", .exit_code = ExitCode::crashed, .files = {file}};
}

}  // namespace

TEST_SUITE("probe/report") {
  TEST_CASE("report: the text of a report equals the text of the report read from its JSON") {
    for (const Report& report :
         {full_report(), run_explain({}), run_explain({.names = {"mem.one-byte", "7"}})}) {
      const auto document = nlohmann::ordered_json::parse(to_json(report).dump());
      CHECK(to_text(report_from_json(document), 80) == to_text(report, 80));
    }
  }

  TEST_CASE("to_json: the schema stands first and keys keep their order") {
    const std::string text = to_json(full_report()).dump();

    CHECK(text.starts_with(R"({"schema":"tenure-probe/1","probe":)"));
    CHECK(text.find("\"command\"") < text.find("\"exit\""));
    CHECK(text.find("\"exit\"") < text.find("\"files\""));
    CHECK(to_json(full_report()).dump() == text);
  }

  TEST_CASE("to_json: bytes that are not UTF-8 do not spoil the document") {
    Report report = full_report();
    report.files[0].rules[0].standard_output.text = "\xff\xfe";

    const std::string text = to_json(report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    CHECK(nlohmann::json::accept(text));
  }

  TEST_CASE("report_from_json: another document is refused") {
    CHECK_THROWS_AS(report_from_json({{"schema", "other/1"}}), ProbeFault);
    CHECK_THROWS_AS(report_from_json(nlohmann::ordered_json::array()), ProbeFault);
    auto document = to_json(full_report());
    document["files"][0]["rules"][0]["verdict"] = "unheard of";
    CHECK_THROWS_AS(report_from_json(document), ProbeFault);
  }

  TEST_CASE("to_text: no line is longer than the width where words allow it") {
    const std::string text = to_text(full_report(), 60);
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = text.find('\n', begin);
      const std::string line = text.substr(begin, end - begin);
      CHECK_MESSAGE(line.size() <= 60, line);
      begin = end + 1;
    }
  }

  TEST_CASE("to_text: a crash that several rules met in one place is shown once, with the other rules") {
    Report report = full_report();
    RuleResult same = report.files[0].rules[0];
    same.name = "mem.zero-bytes";
    same.place->call_number = 7;
    RuleResult elsewhere = same;
    elsewhere.name = "mem.pattern";
    elsewhere.place->image_offset = "0x9999";
    RuleResult unknown = same;
    unknown.name = "mem.too-large";
    unknown.place = CrashPlace{};
    RuleResult unknown_too = unknown;
    unknown_too.name = "mem.map-nests";
    for (const RuleResult& rule : {same, elsewhere, unknown, unknown_too})
      report.files[0].rules.push_back(rule);

    const std::string text = to_text(report, 100);
    const auto count = [&](std::string_view words) {
      std::size_t found = 0;
      for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
      return found;
    };
    CHECK(count("CRASH") == 4);
    CHECK(count("1 rule crashed in the same place: mem.zero-bytes") == 1);
    CHECK(count("+0x41c2") == 1);
    CHECK(to_json(report)["files"][0]["rules"].size() == 6);
  }

  TEST_CASE("to_text: sizes and times have units, and counts add up to the rules") {
    const std::string text = to_text(full_report(), 100);

    CHECK(text.find("4.8 MiB") != std::string::npos);
    CHECK(text.find("1.2 s") != std::string::npos);
    CHECK(text.find("2 rules: 0 passed, 0 failed, 1 crashed, 0 hung, 1 skipped, 0 warnings") !=
          std::string::npos);
    CHECK(text.find("exit 7 (crashed)") != std::string::npos);
  }
}
