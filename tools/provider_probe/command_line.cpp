// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <thread>

#include "command.hpp"
#include "report_json.hpp"
#include "report_text.hpp"
#include "tenure/config.h"

namespace tenure::probe {

namespace {

// Of the terminal, within what can be read comfortably; a fixed one when the report goes elsewhere.
std::size_t text_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return std::clamp<std::size_t>(size.ws_col, 60, 120);
}

// The commands, as far as the arguments have filled them.
struct Arguments {
  CheckCommand check{
      .files = {}, .suite = {.jobs = std::max(1u, std::thread::hardware_concurrency())}, .exit = {}};
  ExplainCommand explain;
  std::string format = "text";
  std::string unavailable = "exit";
  std::function<Report()> command;
};

void add_check(CLI::App& app, Arguments& arguments) {
  CLI::App* check = app.add_subcommand("check", "Tests whether a provider keeps the rules of the contract");
  check->add_option("FILE", arguments.check.files, "Providers")->required();
  check->add_option("--only", arguments.check.suite.only,
                    "Test only the rules that match these patterns, and what they need");
  check->add_option("--skip", arguments.check.suite.skip, "Leave out the rules that match these patterns");
  check->add_option("-j,--jobs", arguments.check.suite.jobs, "Rules to test at the same time")
      ->check(CLI::Range(1u, 256u))
      ->capture_default_str();
  check->add_option("--timeout-scale", arguments.check.suite.timeout_scale, "Multiplies every deadline")
      ->check(CLI::Range(0.001, 1000.0))
      ->capture_default_str();
  check
      ->add_option(
          "--unavailable", arguments.unavailable,
          "What a provider means that cannot work on this machine: exit 6, or skip its rules and exit 0")
      ->check(CLI::IsMember({"exit", "skip"}))
      ->capture_default_str();
  check->add_flag("--werror", arguments.check.exit.warnings_count, "Exit 11 when there are warnings");
  check->callback([&arguments] {
    arguments.check.exit.unavailable_counts = arguments.unavailable == "exit";
    arguments.command = [&arguments] { return run_check(arguments.check); };
  });
}

void add_explain(CLI::App& app, Arguments& arguments) {
  CLI::App* explain =
      app.add_subcommand("explain", "Says what a rule, a code or an exit status means; lists all of them");
  explain->add_option("NAME", arguments.explain.names, "A rule, a code of the contract or an exit status");
  explain->callback(
      [&arguments] { arguments.command = [&arguments] { return run_explain(arguments.explain); }; });
}

void print(const Report& report, const std::string& format, std::ostream& out) {
  if (format == "json") {
    out << to_json(report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else {
    out << to_text(report, text_width());
  }
  out.flush();
}

int run(CLI::App& app, int argc, char** argv, std::ostream& out, std::ostream& error) {
  Arguments arguments;
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", "provider-probe " TENURE_VERSION);
  app.add_option("--format", arguments.format, "Form of the report")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  add_check(app, arguments);
  add_explain(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    // --help and --version end the parsing too.
    const bool is_good = app.exit(stop, out, error) == 0;
    return static_cast<int>(is_good ? ExitCode::good : ExitCode::usage);
  }
  const Report report = arguments.command();
  print(report, arguments.format, out);
  return static_cast<int>(report.exit_code);
}

}  // namespace

int run_command_line(int argc, char** argv, std::ostream& out, std::ostream& error) {
  try {
    CLI::App app("Looks at provider plugins of Tenure, and tests them");
    return run(app, argc, argv, out, error);
  } catch (const std::exception& fault) {
    error << "provider-probe: " << fault.what() << '\n';
    return static_cast<int>(ExitCode::probe_fault);
  }
}

}  // namespace tenure::probe
