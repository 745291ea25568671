// SPDX-License-Identifier: Apache-2.0
// Goal: a rule carries one name, one sentence and one broken provider from the document to the test.
// Method: parse the tables of docs/provider_contract.md and compare them with the rules of the probe and
// with the broken providers that are built and tested.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
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
  std::string checked_by;
  std::string broken_provider;
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
    const bool is_new = rows.try_emplace(between_ticks(cells[0]),
                                         DocumentRow{cells[1], cells[2], cells[3], between_ticks(cells[4]),
                                                     cells[0].ends_with("*(warning)*")})
                            .second;
    CHECK_MESSAGE(is_new, "two rows: ", cells[0]);
  }
  return rows;
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
      CHECK(row->second.broken_provider == broken_name(rule.name));
      CHECK(row->second.is_warning == (rule.weight == RuleWeight::warning));
    }
    for (const auto& [name, row] : rows) CHECK_MESSAGE(find_rule(name) != nullptr, name, " has no check");
  }

  TEST_CASE("provider_contract.md: its findings are those of the probe, word for word") {
    std::map<std::string, std::string> rows;
    for (const auto& cells : document_cells()) {
      if (cells.size() == 2) rows[between_ticks(cells[0])] = cells[1];
    }

    CHECK(rows.size() == findings().size());
    for (const Finding& finding : findings()) {
      CHECK_MESSAGE(rows[std::string(finding.name)] == finding.sentence, finding.name);
    }
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
