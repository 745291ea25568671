// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include "mismatch.hpp"
#include "network/network_case.hpp"
#include "permute/permute_case.hpp"
#include "run.hpp"
#include "suites/suites.hpp"
#include "usage_error.hpp"

namespace tenure::bench {

namespace {

// What the arguments have filled.
struct Arguments {
  Settings settings;
  RunOptions run;
  double memory_max_mebibytes = 8192;
  std::string json;
  bool is_list = false;
  std::string patterns;  // of the command permute
  std::string instance;  // of the command network
  std::string path = "opt_flops";
};

void add_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--filter", arguments.run.filter, "Only cases whose name this regular expression finds");
  app.add_option("--threads", arguments.settings.threads,
                 "Threads of ours and of every peer in parallel rows; default: all of the machine")
      ->check(CLI::Range(1u, 1024u));
  app.add_option("--min-time", arguments.run.time_min_s, "Seconds for each contender of each case")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  app.add_option("--provider", arguments.settings.provider,
                 "A provider's shared object; default: the CPU provider of this build");
  app.add_option("--json", arguments.json, "Also writes facts and results here");
  app.add_option("--seed", arguments.settings.seed,
                 "Of drawn shapes and of all data; default: from the clock");
  app.add_option("--memory-max", arguments.memory_max_mebibytes,
                 "Leaves out cases that need more than these MiB at once")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--list", arguments.is_list, "Names the cases and runs none");
}

void add_commands(CLI::App& app, Arguments& arguments) {
  app.fallthrough();
  app.require_subcommand(0, 1);
  CLI::App* permute =
      app.add_subcommand("permute", "Measures the permutations of a file instead of the suites");
  permute->add_option("--patterns", arguments.patterns, "A JSON file with \"patterns\"")->required();
  CLI::App* network =
      app.add_subcommand("network", "Contracts the tensor network of a file, twice, and measures it");
  network->add_option("--instance", arguments.instance, "A JSON file with \"format_string\" and \"paths\"")
      ->required();
  network->add_option("--path", arguments.path, "Which of its paths")
      ->check(CLI::IsMember({"opt_flops", "opt_size"}))
      ->capture_default_str();
}

// Of the command, or of all suites. Files are read before anything is measured.
CaseList named_cases(Setup& setup, const Arguments& arguments, std::ostream& out) {
  CaseList cases;
  if (!arguments.patterns.empty()) {
    add_pattern_cases(setup, read_patterns(arguments.patterns), cases);
  } else if (!arguments.instance.empty()) {
    const NetworkInstance instance = read_instance(arguments.instance, arguments.path);
    if (!arguments.is_list) print_two_runs(setup, instance, out);
    add_instance_cases(setup, {instance}, cases);
  } else {
    cases = all_cases(setup);
  }
  return cases;
}

int run(CLI::App& app, int argc, char** argv, std::ostream& out, std::ostream& error) {
  Arguments arguments;
  arguments.settings.seed =
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  app.set_version_flag("--version", "tenure-bench " TENURE_VERSION);
  add_options(app, arguments);
  add_commands(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    // --help and --version end the parsing too.
    const bool is_good = app.exit(stop, out, error) == 0;
    return static_cast<int>(is_good ? ExitCode::good : ExitCode::usage);
  }
  arguments.run.memory_max_bytes = static_cast<std::size_t>(arguments.memory_max_mebibytes * 1024 * 1024);
  if (!arguments.json.empty()) arguments.run.json = arguments.json;

  Setup setup(arguments.settings);
  const CaseList cases = chosen_cases(named_cases(setup, arguments, out), arguments.run.filter);
  if (arguments.is_list) {
    for (const CaseEntry& entry : cases) out << entry.name << '\n';
  } else {
    run_cases(setup, cases, arguments.run, out, error);
  }
  return static_cast<int>(ExitCode::good);
}

}  // namespace

int run_command_line(int argc, char** argv, std::ostream& out, std::ostream& error) {
  const auto failed = [&error](const std::exception& problem, ExitCode code) {
    error << "tenure-bench: " << problem.what() << '\n';
    return static_cast<int>(code);
  };
  try {
    CLI::App app("Measures Tenure beside what people use today");
    return run(app, argc, argv, out, error);
  } catch (const UsageError& mistake) {
    return failed(mistake, ExitCode::usage);
  } catch (const Mismatch& mismatch) {
    return failed(mismatch, ExitCode::mismatch);
  } catch (const std::exception& problem) {
    return failed(problem, ExitCode::provider);
  }
}

}  // namespace tenure::bench
