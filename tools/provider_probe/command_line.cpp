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
#include "probe_fault.hpp"
#include "report_json.hpp"
#include "report_text.hpp"
#include "tenure/config.h"
#include "usage_error.hpp"

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
  InspectCommand inspect;
  CheckCommand check;
  ExplainCommand explain;
  std::string format = "text";
  std::string policy = "default";
  std::string unavailable = "exit";
  std::function<Report()> command;
};

PolicyChoice policy_choice(const std::string& name) {
  for (const PathPolicy policy : {PathPolicy::off, PathPolicy::warn, PathPolicy::strict}) {
    if (path_policy_name(policy) == name) return policy;
  }
  return std::nullopt;
}

// The options that `inspect` and `check` share.
void add_shared_options(CLI::App& app, std::vector<std::string>& files, double& timeout_scale,
                        bool& warnings_count, Arguments& arguments) {
  app.add_option("FILE", files, "Providers")->required();
  app.add_option("--timeout-scale", timeout_scale, "Multiplies every deadline")
      ->check(CLI::Range(0.001, 1000.0))
      ->capture_default_str();
  app.add_flag("--werror", warnings_count, "Exit 11 when there are warnings");
  app.add_option("--policy", arguments.policy,
                 "What a file means that others than root and this user could change")
      ->check(CLI::IsMember({"default", "off", "warn", "strict"}))
      ->capture_default_str();
}

void add_inspect(CLI::App& app, Arguments& arguments) {
  CLI::App* inspect = app.add_subcommand("inspect", "Says what a file is, without running any of its code");
  InspectCommand& command = arguments.inspect;
  add_shared_options(*inspect, command.files, command.timeout_scale, command.warnings_count, arguments);
  inspect->add_flag("--run", command.run, "Also ask the provider itself, in a child process");
  inspect->add_flag("--why", command.why, "Also load the file, in a child process, and show every step");
  inspect->callback([&arguments] {
    arguments.inspect.policy = policy_choice(arguments.policy);
    arguments.command = [&arguments] { return run_inspect(arguments.inspect); };
  });
}

void add_check(CLI::App& app, Arguments& arguments) {
  CLI::App* check = app.add_subcommand("check", "Tests whether a provider keeps the rules of the contract");
  SuiteOptions& suite = arguments.check.suite;
  suite.jobs = std::max(1u, std::thread::hardware_concurrency());
  add_shared_options(*check, arguments.check.files, suite.timeout_scale, arguments.check.exit.warnings_count,
                     arguments);
  check->add_option("--only", suite.only,
                    "Test only the rules that match these patterns, and what they need");
  check->add_option("--skip", suite.skip, "Leave out the rules that match these patterns");
  check->add_option("-j,--jobs", suite.jobs, "Rules to test at the same time")
      ->check(CLI::Range(1u, 256u))
      ->capture_default_str();
  check
      ->add_option("--unavailable", arguments.unavailable,
                   "What a provider means that cannot work on this machine: exit 6, or a skip and exit 0")
      ->check(CLI::IsMember({"exit", "skip"}))
      ->capture_default_str();
  check->callback([&arguments] {
    arguments.check.policy = policy_choice(arguments.policy);
    arguments.check.exit.unavailable_counts = arguments.unavailable == "exit";
    arguments.command = [&arguments] { return run_check(arguments.check); };
  });
}

void add_explain(CLI::App& app, Arguments& arguments) {
  CLI::App* explain =
      app.add_subcommand("explain", "Says what a rule, a code or an exit status means; lists all of them");
  explain->add_option("NAME", arguments.explain.names,
                      "A rule, a finding, a code of the contract, an exit status");
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
  // That there is one is asked afterwards: a word that is no command would otherwise go unmentioned.
  app.require_subcommand(0, 1);
  app.fallthrough();
  app.set_version_flag("--version", "provider-probe " TENURE_VERSION);
  app.add_option("--format", arguments.format, "Form of the report")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  add_inspect(app, arguments);
  add_check(app, arguments);
  add_explain(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    // --help and --version end the parsing too.
    const bool is_good = app.exit(stop, out, error) == 0;
    return static_cast<int>(is_good ? ExitCode::good : ExitCode::usage);
  }
  if (!arguments.command) throw UsageError("expected a command: inspect, check or explain; see --help");
  const Report report = arguments.command();
  print(report, arguments.format, out);
  // A report that did not arrive must not look like a good one.
  if (!out) throw ProbeFault("the report cannot be written to stdout");
  return static_cast<int>(report.exit_code);
}

}  // namespace

int run_command_line(int argc, char** argv, std::ostream& out, std::ostream& error) {
  try {
    CLI::App app("Looks at provider plugins of Tenure, and tests them");
    return run(app, argc, argv, out, error);
  } catch (const UsageError& mistake) {
    error << "provider-probe: " << mistake.what() << '\n';
    return static_cast<int>(ExitCode::usage);
  } catch (const std::exception& fault) {
    error << "provider-probe: " << fault.what() << '\n';
    return static_cast<int>(ExitCode::probe_fault);
  }
}

}  // namespace tenure::probe
