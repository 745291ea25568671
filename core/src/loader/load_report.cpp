// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/load_report.hpp"

#include "tenure/abi/code_name.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

void add_line(std::string& text, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  text.append("\n  ").append(name).append(": ").append(value);
}

}  // namespace

std::string LoadReport::summary() const {
  std::string text;
  if (failure) {
    text = failure->message;
    if (!text.empty() && text.back() != '.') text += ".";
    if (!failure->hint.empty()) text.append(" ").append(failure->hint);
    if (stays_mapped) text += " The file stays mapped in this process, but nothing of it is registered.";
  } else if (provider) {
    text.append(provider->id()).append(" ").append(provider->version());
    text += was_loaded ? " was loaded before." : " is loaded.";
  }
  return text + " (" + (path_real.empty() ? path_given : path_real) + ")";
}

std::string LoadReport::text() const {
  std::string text = summary();
  add_line(text, "given", path_given);
  add_line(text, "real path", path_real);
  if (failure) {
    add_line(text, "stage", load_stage_name(failure->stage));
    add_line(text, "code", abi::status_name(failure->code));
    add_line(text, "rule", failure->id);
    add_line(text, "culprit", failure->culprit);
    add_line(text, "wanted", failure->wanted);
    add_line(text, "found", failure->found);
    for (const std::string& place : failure->searched) add_line(text, "searched", place);
    add_line(text, "hint", failure->hint);
  }
  for (const Problem& warning : warnings) add_line(text, "warning " + warning.id, warning.message);
  text += "\nsteps:";
  int number = 0;
  for (const LoadStep& step : steps) {
    text.append("\n  ").append(std::to_string(++number)).append(" ");
    text.append(load_stage_name(step.stage)).append(": ").append(step.decision);
  }
  return text;
}

}  // namespace tenure::inline TENURE_BUILD
