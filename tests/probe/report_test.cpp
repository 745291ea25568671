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
  skipped.message = "mem.pattern does not hold";
  FileResult file{.path_given = "libx.so",
                  .path = "/p/libx.so",
                  .exit_code = ExitCode::crashed,
                  .rules = {crashed, skipped},
                  .problems = {{.id = "file.relro-now",
                                .severity = "warning",
                                .message = "the tables stay writable",
                                .hint = "Link with -z relro -z now.",
                                .evidence = {"no GNU_RELRO"}}}};
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

  TEST_CASE("to_text: sizes and times have units, and counts add up to the rules") {
    const std::string text = to_text(full_report(), 100);

    CHECK(text.find("4.8 MiB") != std::string::npos);
    CHECK(text.find("1.2 s") != std::string::npos);
    CHECK(text.find("2 rules: 0 passed, 0 failed, 1 crashed, 0 hung, 1 skipped, 0 warnings") !=
          std::string::npos);
    CHECK(text.find("exit 7 (crashed)") != std::string::npos);
  }
}
