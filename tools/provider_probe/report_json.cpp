// SPDX-License-Identifier: Apache-2.0
#include "report_json.hpp"

#include "inspection_json.hpp"
#include "json_archive.hpp"
#include "probe_fault.hpp"
#include "sentence.hpp"
#include "tenure/config.h"
#include "tenure/provider_abi.h"

namespace tenure::probe {

// What follows up to `to_json(const Report&)` is found by json_archive and by nlohmann's library.

void to_json(nlohmann::ordered_json& document, Verdict verdict) { document = verdict_name(verdict); }

void from_json(const nlohmann::ordered_json& document, Verdict& verdict) {
  const auto found = verdict_of(document.get<std::string>());
  if (!found) throw ProbeFault("the document is not a report: it has an unknown verdict");
  verdict = *found;
}

void to_json(nlohmann::ordered_json& document, ExitCode code) {
  document = {{"code", static_cast<std::int32_t>(code)}, {"name", exit_code_entry(code).name}};
}

void from_json(const nlohmann::ordered_json& document, ExitCode& code) {
  const auto found = find_exit_code(document.at("code").get<std::int32_t>());
  if (!found) throw ProbeFault("the document is not a report: it has an unknown exit code");
  code = found->code;
}

constexpr auto json_members(std::type_identity<OutputExcerpt>) {
  using T = OutputExcerpt;
  return std::tuple(JsonMember{"bytes", &T::bytes}, JsonMember{"text", &T::text});
}

constexpr auto json_members(std::type_identity<CrashPlace>) {
  using T = CrashPlace;
  return std::tuple(JsonMember{"slot", &T::slot}, JsonMember{"call_number", &T::call_number},
                    JsonMember{"thread", &T::thread}, JsonMember{"inside_call", &T::inside_call},
                    JsonMember{"signal", &T::signal}, JsonMember{"address", &T::address},
                    JsonMember{"image_offset", &T::image_offset});
}

constexpr auto json_members(std::type_identity<RuleResult>) {
  using T = RuleResult;
  return std::tuple(JsonMember{"name", &T::name}, JsonMember{"verdict", &T::verdict},
                    JsonMember{"message", &T::message}, JsonMember{"needs", &T::needs},
                    JsonMember{"unavailable", &T::unavailable}, JsonMember{"call_count", &T::call_count},
                    JsonMember{"duration_ms", &T::duration_ms}, JsonMember{"place", &T::place},
                    JsonMember{"stdout", &T::standard_output}, JsonMember{"stderr", &T::standard_error},
                    JsonMember{"rerun", &T::rerun});
}

constexpr auto json_members(std::type_identity<ReportProblem>) {
  using T = ReportProblem;
  return std::tuple(JsonMember{"id", &T::id}, JsonMember{"severity", &T::severity},
                    JsonMember{"message", &T::message}, JsonMember{"hint", &T::hint},
                    JsonMember{"evidence", &T::evidence});
}

constexpr auto json_members(std::type_identity<FileResult>) {
  using T = FileResult;
  return std::tuple(JsonMember{"path_given", &T::path_given}, JsonMember{"path", &T::path},
                    JsonMember{"provider", &T::provider}, JsonMember{"exit", &T::exit_code},
                    JsonMember{"inspection", &T::inspection}, JsonMember{"rules", &T::rules},
                    JsonMember{"problems", &T::problems});
}

constexpr auto json_members(std::type_identity<Explanation>) {
  using T = Explanation;
  return std::tuple(JsonMember{"kind", &T::kind}, JsonMember{"name", &T::name},
                    JsonMember{"number", &T::number}, JsonMember{"sentence", &T::sentence},
                    JsonMember{"details", &T::details});
}

constexpr auto json_members(std::type_identity<Report>) {
  using T = Report;
  return std::tuple(JsonMember{"command", &T::command}, JsonMember{"exit", &T::exit_code},
                    JsonMember{"files", &T::files}, JsonMember{"explanations", &T::explanations});
}

nlohmann::ordered_json to_json(const Report& report) {
  nlohmann::ordered_json document = {{"schema", report_schema},
                                     {"probe", TENURE_VERSION},
                                     {"abi", sentence(TENURE_ABI_MAJOR, '.', TENURE_ABI_MINOR)}};
  document.update(json_from(report));
  return document;
}

Report report_from_json(const nlohmann::ordered_json& document) {
  try {
    if (document.at("schema") != report_schema) throw ProbeFault("the document has another schema");
    Report report;
    read_json(document, report);
    return report;
  } catch (const nlohmann::json::exception& error) {
    throw ProbeFault(sentence("the document is not a report: ", error.what()));
  }
}

}  // namespace tenure::probe
