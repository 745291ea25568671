// SPDX-License-Identifier: Apache-2.0
#include "child_verb.hpp"

#include <unistd.h>

#include <charconv>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "child_result.hpp"
#include "child_setup.hpp"
#include "rule_run.hpp"
#include "rules/inspection_tasks.hpp"
#include "rules/trial.hpp"

namespace tenure::probe {

namespace {

// Tells the parent that the probe, not the provider, is at fault.
[[noreturn]] void send_fault(std::string_view token, std::string_view message) {
  send_result(token, {{"verdict", "fault"}, {"message", message}});
  ::_exit(0);
}

const Rule* find_task(std::string_view name) {
  for (const Rule* task : {&run_facts_task(), &load_trail_task()}) {
    if (task->name == name) return task;
  }
  return find_rule(name);
}

pid_t process_number(std::string_view text) {
  pid_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

void run_child_verb(int argc, char** argv) {
  if (argc != 6 || std::string_view(argv[1]) != rule_verb) return;
  const std::string token = argv[3];
  try {
    Breadcrumb& breadcrumb = set_up_child(process_number(argv[2]));
    const Rule* rule = find_task(argv[5]);
    if (rule == nullptr || rule->check == nullptr) send_fault(token, "the child knows no such rule");
    run_trial({.token = token, .file = argv[4]}, *rule, breadcrumb);
  } catch (const std::exception& error) {
    send_fault(token, error.what());
  }
}

}  // namespace tenure::probe
