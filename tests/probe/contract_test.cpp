// SPDX-License-Identifier: Apache-2.0
// Goal: a rule carries one name, one sentence and one broken provider from the document to the test.
// Method: parse the tables of docs/provider_contract.md and compare them with the rules and findings of the
// probe, with the names in the sources of the loader, and with the broken providers that are built and
// tested.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "finding.hpp"
#include "rule.hpp"

namespace {

using namespace tenure::probe;

struct DocumentRow {
  std::string sentence;
  std::string if_ignored;
  std::string advice;
  std::string checked_by;
  bool is_warning = false;
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::string between_ticks(const std::string& cell) {
  const std::size_t begin = cell.find('`');
  const std::size_t end = cell.find('`', begin + 1);
  return begin == std::string::npos || end == std::string::npos ? std::string()
                                                                : cell.substr(begin + 1, end - begin - 1);
}

// The cells of every row of a table whose first cell is a name.
std::vector<std::vector<std::string>> document_cells() {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(CONTRACT);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string>& cells = rows.emplace_back();
    std::istringstream columns(line.substr(1));
    for (std::string cell; std::getline(columns, cell, '|');) cells.push_back(trimmed(cell));
  }
  return rows;
}

// The rows of the rules, which have five columns.
std::map<std::string, DocumentRow> document_rows() {
  std::map<std::string, DocumentRow> rows;
  for (const auto& cells : document_cells()) {
    if (cells.size() != 5) continue;
    const bool is_new =
        rows.try_emplace(between_ticks(cells[0]), DocumentRow{cells[1], cells[2], cells[3], cells[4],
                                                              cells[0].ends_with("*(warning)*")})
            .second;
    CHECK_MESSAGE(is_new, "two rows: ", cells[0]);
  }
  return rows;
}

// The names of rules and findings that the loader reports, from the text of its sources.
std::set<std::string> loader_names() {
  std::set<std::string> names;
  const std::regex name_in_quotes(R"re("((?:abi|file|load)\.[a-z0-9.-]+)")re");
  for (const auto& entry : std::filesystem::directory_iterator(LOADER_SOURCES)) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), name_in_quotes); at != std::sregex_iterator();
         ++at) {
      names.insert((*at)[1]);
    }
  }
  return names;
}

std::string broken_name(std::string_view rule) {
  std::string name = "broken_" + std::string(rule);
  std::ranges::replace_if(
      name, [](char letter) { return letter == '.' || letter == '-'; }, '_');
  return name;
}

}  // namespace

TEST_SUITE("probe/contract") {
  TEST_CASE("provider_contract.md: its rows are the rules of the probe, word for word") {
    const auto rows = document_rows();

    for (const Rule& rule : all_rules()) {
      CAPTURE(rule.name);
      const auto row = rows.find(std::string(rule.name));
      REQUIRE(row != rows.end());
      CHECK(row->second.sentence == rule.sentence);
      CHECK(row->second.if_ignored == rule.if_ignored);
      CHECK(row->second.checked_by.find("probe") != std::string::npos);
      CHECK(row->second.advice == rule.advice);
      CHECK(row->second.is_warning == (rule.weight == RuleWeight::warning));
    }
    for (const auto& [name, row] : rows) CHECK_MESSAGE(find_rule(name) != nullptr, name, " has no check");
  }

  TEST_CASE("provider_contract.md: its findings are those of the probe, word for word") {
    std::map<std::string, std::vector<std::string>> rows;
    for (const auto& cells : document_cells()) {
      if (cells.size() == 4) rows[between_ticks(cells[0])] = cells;
    }

    CHECK(rows.size() == findings().size());
    for (const Finding& finding : findings()) {
      CAPTURE(finding.name);
      const auto row = rows.find(std::string(finding.name));
      REQUIRE(row != rows.end());
      CHECK(row->second[1] == finding.sentence);
      CHECK(row->second[2] == finding.if_ignored);
      CHECK(row->second[3] == finding.advice);
    }
  }

  TEST_CASE("provider_contract.md: every row is of a rule or of a finding") {
    for (const auto& cells : document_cells()) {
      CHECK_MESSAGE((cells.size() == 5 || cells.size() == 4), cells[0], " has ", cells.size(), " columns");
    }
  }

  TEST_CASE("provider_contract.md: what it says of the loader is what the loader reports") {
    std::set<std::string> documented;
    for (const auto& [name, row] : document_rows()) {
      if (row.checked_by.find("loader") != std::string::npos) documented.insert(name);
    }
    for (const Finding& finding : findings()) documented.insert(std::string(finding.name));

    const auto reported = loader_names();
    for (const std::string& name : reported)
      CHECK_MESSAGE(documented.contains(name), name, " is not documented");
    for (const std::string& name : documented)
      CHECK_MESSAGE(reported.contains(name), name, " is never reported");
  }

  TEST_CASE("broken_providers: every rule has one, and every one has a rule") {
    std::set<std::string> wanted;
    for (const Rule& rule : all_rules()) wanted.insert(broken_name(rule.name));

    std::set<std::string> found;
    std::istringstream targets(BROKEN_PROVIDERS);
    for (std::string target; targets >> target;) found.insert(target);
    for (const std::string& name : wanted) CHECK_MESSAGE(found.contains(name), name, " is not built");
    for (const std::string& name : found) CHECK_MESSAGE(wanted.contains(name), name, " breaks no rule");
  }
}
