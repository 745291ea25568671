// SPDX-License-Identifier: Apache-2.0
#include "report_json.hpp"

#include <nlohmann/json.hpp>
#include <type_traits>

#include "probe_fault.hpp"
#include "sentence.hpp"
#include "tenure/config.h"
#include "tenure/provider_abi.h"

namespace tenure::probe {

namespace {

using Json = nlohmann::ordered_json;

// Each struct names its members once, in the order of the document, for writing and for reading.

template <class Archive, class T>
void members(Archive& archive, T& value) requires std::is_same_v<std::remove_const_t<T>, OutputExcerpt> {
  archive("bytes", value.bytes);
  archive("text", value.text);
}

template <class Archive, class T>
void members(Archive& archive, T& value) requires std::is_same_v<std::remove_const_t<T>, CrashPlace> {
  archive("slot", value.slot);
  archive("call_number", value.call_number);
  archive("thread", value.thread);
  archive("inside_call", value.inside_call);
  archive("signal", value.signal);
  archive("address", value.address);
  archive("image_offset", value.image_offset);
}

template <class Archive, class T>
void members(Archive& archive, T& value) requires std::is_same_v<std::remove_const_t<T>, RuleResult> {
  archive("name", value.name);
  archive("verdict", value.verdict);
  archive("message", value.message);
  archive("needs", value.needs);
  archive("unavailable", value.unavailable);
  archive("call_count", value.call_count);
  archive("duration_ms", value.duration_ms);
  archive("place", value.place);
  archive("stdout", value.standard_output);
  archive("stderr", value.standard_error);
  archive("rerun", value.rerun);
}

template <class Archive, class T>
void members(Archive& archive, T& value) requires std::is_same_v<std::remove_const_t<T>, ReportProblem> {
  archive("id", value.id);
  archive("severity", value.severity);
  archive("message", value.message);
  archive("hint", value.hint);
  archive("evidence", value.evidence);
}

template <class Archive, class T>
void members(Archive& archive, T& value) requires std::is_same_v<std::remove_const_t<T>, FileResult> {
  archive("path_given", value.path_given);
  archive("path", value.path);
  archive("exit", value.exit_code);
  archive("rules", value.rules);
  archive("problems", value.problems);
}

template <class Archive, class T>
void members(Archive& archive, T& value) requires std::is_same_v<std::remove_const_t<T>, Explanation> {
  archive("kind", value.kind);
  archive("name", value.name);
  archive("number", value.number);
  archive("sentence", value.sentence);
  archive("details", value.details);
}

template <class Archive, class T>
void members(Archive& archive, T& value) requires std::is_same_v<std::remove_const_t<T>, Report> {
  archive("command", value.command);
  archive("exit", value.exit_code);
  archive("files", value.files);
  archive("explanations", value.explanations);
}

class Writer {
 public:
  template <class T>
  void operator()(const char* key, const T& value) {
    document_[key] = written(value);
  }
  Json take() { return std::move(document_); }

  template <class T>
  static Json written(const T& value) {
    if constexpr (std::is_same_v<T, Verdict>) {
      return verdict_name(value);
    } else if constexpr (std::is_same_v<T, ExitCode>) {
      return {{"code", static_cast<std::int32_t>(value)}, {"name", exit_code_entry(value).name}};
    } else if constexpr (std::is_class_v<T> && !std::is_constructible_v<Json, T>) {
      Writer writer;
      members(writer, value);
      return writer.take();
    } else {
      return value;
    }
  }
  template <class T>
  static Json written(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(written(value));
    return list;
  }
  template <class T>
  static Json written(const std::optional<T>& value) {
    return value ? written(*value) : Json(nullptr);
  }

 private:
  Json document_ = Json::object();
};

class Reader {
 public:
  explicit Reader(const Json& document) : document_(document) {}
  template <class T>
  void operator()(const char* key, T& value) {
    read(document_.at(key), value);
  }

  template <class T>
  static void read(const Json& document, T& value) {
    if constexpr (std::is_same_v<T, Verdict>) {
      value = verdict_of(document.get<std::string>()).value();
    } else if constexpr (std::is_same_v<T, ExitCode>) {
      value = find_exit_code(document.at("code").get<std::int32_t>()).value().code;
    } else if constexpr (std::is_class_v<T> && !std::is_constructible_v<Json, T>) {
      Reader reader(document);
      members(reader, value);
    } else {
      value = document.get<T>();
    }
  }
  template <class T>
  static void read(const Json& document, std::vector<T>& values) {
    for (const Json& element : document) read(element, values.emplace_back());
  }
  template <class T>
  static void read(const Json& document, std::optional<T>& value) {
    if (!document.is_null()) read(document, value.emplace());
  }

 private:
  const Json& document_;
};

}  // namespace

Json to_json(const Report& report) {
  Json document = {{"schema", report_schema},
                   {"probe", TENURE_VERSION},
                   {"abi", sentence(TENURE_ABI_MAJOR, '.', TENURE_ABI_MINOR)}};
  document.update(Writer::written(report));
  return document;
}

Report report_from_json(const Json& document) {
  try {
    if (document.at("schema") != report_schema) throw ProbeFault("the document has another schema");
    Report report;
    Reader::read(document, report);
    return report;
  } catch (const Json::exception& error) {
    throw ProbeFault(sentence("the document is not a report: ", error.what()));
  } catch (const std::bad_optional_access&) {
    throw ProbeFault("the document is not a report: it has an unknown verdict or exit code");
  }
}

}  // namespace tenure::probe
