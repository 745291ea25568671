// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "machine.hpp"
#include "measure.hpp"
#include "mismatch.hpp"
#include "report.hpp"
#include "usage_error.hpp"

namespace tenure::bench {

namespace {

// A line that the next one replaces; nothing where nobody watches.
void show_progress(std::ostream& progress, const std::string& text) {
  if (::isatty(STDERR_FILENO) == 1) {
    progress << "\r\033[K" << text;
    progress.flush();
  }
}

CaseResult run_case(Setup& setup, const CaseEntry& entry, double time_min_s) {
  setup.set_peer_threads(entry.threads);
  const Case measured = entry.make();
  try {
    if (measured.verify) measured.verify();
  } catch (const Mismatch& mismatch) {
    throw Mismatch(entry.name + ": " + mismatch.what());
  }
  return measure(entry, measured, time_min_s);
}

}  // namespace

CaseList chosen_cases(const CaseList& cases, const std::string& filter) {
  CaseList chosen;
  try {
    const std::regex pattern(filter);
    for (const CaseEntry& entry : cases) {
      if (std::regex_search(entry.name, pattern)) chosen.push_back(entry);
    }
  } catch (const std::regex_error& error) {
    throw UsageError("--filter '" + filter + "' is no regular expression: " + error.what());
  }
  if (chosen.empty()) {
    throw UsageError("--filter '" + filter + "' matches no case; tenure-bench --list names them");
  }
  return chosen;
}

void run_cases(Setup& setup, const CaseList& cases, const RunOptions& options, std::ostream& out,
               std::ostream& progress) {
  std::ofstream file;
  if (options.json) {
    file.open(*options.json);
    if (!file) throw UsageError("--json " + options.json->string() + ": the file cannot be written");
  }
  nlohmann::ordered_json machine = machine_facts(setup);
  print_machine(machine, out);
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  std::size_t left_out = 0;
  for (std::size_t index = 0; index < cases.size(); ++index) {
    const CaseEntry& entry = cases[index];
    if (entry.bytes > options.memory_max_bytes) {
      ++left_out;
      continue;
    }
    show_progress(progress,
                  std::to_string(index + 1) + '/' + std::to_string(cases.size()) + ' ' + entry.name);
    const CaseResult result = run_case(setup, entry, options.time_min_s);
    show_progress(progress, "");
    print_row(result, out);
    results.push_back(to_json(result));
  }
  if (left_out > 0) out << left_out << " cases need more than --memory-max and were left out\n";
  if (!options.json) return;
  machine["load_average_after"] = load_average();
  file << nlohmann::ordered_json{{"machine", std::move(machine)}, {"results", std::move(results)}}.dump(1)
       << '\n';
  file.close();
  if (!file) throw UsageError("--json " + options.json->string() + ": the file cannot be written");
}

}  // namespace tenure::bench
