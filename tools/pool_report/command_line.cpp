// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "byte_text.hpp"
#include "page.hpp"
#include "replay.hpp"
#include "snapshot_file.hpp"
#include "tenure/config.h"
#include "tenure/loader/instance.hpp"
#include "tenure/loader/provider.hpp"
#include "tenure/loader/registry.hpp"

namespace tenure::pool_report {
namespace {

struct PageCommand {
  std::string snapshot_file;
  std::string page_file;  // empty: stdout
};

struct ReplayCommand {
  std::string snapshot_file;
  std::string provider_file;
  std::string domain;                             // empty: the provider's default one
  std::optional<std::size_t> retained_bytes_max;  // absent: the recorded one
  std::string mode = "count";
};

void run_page(const PageCommand& command, std::ostream& out) {
  const std::string text = page(read_snapshot(command.snapshot_file));
  if (command.page_file.empty()) {
    out << text;
    return;
  }
  std::ofstream file(command.page_file, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw FileError(command.page_file + ": the page cannot be written there");
}

PoolMode mode_of(const std::string& name) {
  return name == pool_mode_name(PoolMode::bypass) ? PoolMode::bypass : PoolMode::count;
}

void print(const PoolSnapshot& recorded, const ReplayResult& result, std::ostream& out) {
  const auto row = [&](const char* name, std::uint64_t before, std::uint64_t now) {
    std::string line = name;
    for (const std::uint64_t number : {before, now}) {
      const std::string text = count_text(number);
      line.resize(std::max<std::size_t>(line.size(), 22), ' ');
      line += std::string(text.size() < 18 ? 18 - text.size() : 1, ' ') + text;
    }
    out << line << '\n';
  };
  const PoolStatistics& before = recorded.statistics;
  const PoolStatistics& now = result.statistics;
  out << "                                recorded          replayed\n";
  row("hits", before.hits, now.hits);
  row("misses", before.misses, now.misses);
  row("evictions", before.evictions, now.evictions);
  row("refused", result.refused_recorded, result.refused_replayed);
  row("peak reserved bytes", before.peak_bytes, now.peak_bytes);
  row("live bytes at the end", before.live_bytes, now.live_bytes);
  row("idle bytes at the end", before.capacity_bytes, now.capacity_bytes);
}

void run_replay(const ReplayCommand& command, std::ostream& out) {
  const PoolSnapshot recorded = read_snapshot(command.snapshot_file);
  const Instance instance = Registry().load(command.provider_file).open();
  const AllocationDomain domain =
      command.domain.empty() ? instance.default_domain() : instance.domain(command.domain);
  const std::size_t retained_bytes_max = command.retained_bytes_max.value_or(recorded.retained_bytes_max);
  const ReplayResult result =
      replay(recorded, domain, {.retained_bytes_max = retained_bytes_max, .mode = mode_of(command.mode)});
  out << count_text(recorded.events.size()) << " events of " << recorded.domain << ", replayed in "
      << domain.name() << " with at most " << count_text(retained_bytes_max) << " bytes idle, mode "
      << command.mode << "\n\n";
  print(recorded, result, out);
}

void add_page(CLI::App& app, PageCommand& command, std::function<void()>& chosen, std::ostream& out) {
  CLI::App* page = app.add_subcommand("page", "Makes a page for a browser of a pool's snapshot");
  page->add_option("SNAPSHOT", command.snapshot_file, "What to_json gave")->required();
  page->add_option("-o,--output", command.page_file, "Where the page goes; without it, to stdout");
  page->callback([&] { chosen = [&] { run_page(command, out); }; });
}

void add_replay(CLI::App& app, ReplayCommand& command, std::function<void()>& chosen, std::ostream& out) {
  CLI::App* replay = app.add_subcommand(
      "replay", "Does to a new pool what was done to a traced one, and compares what came of it");
  replay->add_option("SNAPSHOT", command.snapshot_file, "What to_json gave of a pool of mode trace")
      ->required();
  replay->add_option("--provider", command.provider_file, "The provider whose pool is tried")->required();
  replay->add_option("--domain", command.domain, "The domain of the pool; without it, the default one");
  replay
      ->add_option("--retained-bytes-max", command.retained_bytes_max,
                   "How many bytes the pool may keep idle; without it, as many as were recorded")
      ->check(CLI::NonNegativeNumber);
  replay->add_option("--mode", command.mode, "count recycles blocks, bypass does not")
      ->check(CLI::IsMember({"count", "bypass"}))
      ->capture_default_str();
  replay->callback([&] { chosen = [&] { run_replay(command, out); }; });
}

}  // namespace

int run_command_line(int argc, char** argv, std::ostream& out, std::ostream& error) {
  try {
    CLI::App app("Shows snapshots of Tenure's pools, and replays what was recorded in them");
    PageCommand page;
    ReplayCommand replay;
    std::function<void()> chosen;
    app.require_subcommand(1);
    app.set_version_flag("--version", "pool-report " TENURE_VERSION);
    add_page(app, page, chosen, out);
    add_replay(app, replay, chosen, out);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& stop) {
      // --help and --version end the parsing too.
      return app.exit(stop, out, error) == 0 ? 0 : 2;
    }
    chosen();
    out.flush();
    if (!out) throw FileError("stdout: the report cannot be written there");
    return 0;
  } catch (const std::exception& problem) {
    error << "pool-report: " << problem.what() << '\n';
    return 1;
  }
}

}  // namespace tenure::pool_report
