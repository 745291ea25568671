// SPDX-License-Identifier: Apache-2.0
#include "rules/trial.hpp"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "child_result.hpp"
#include "rules/answer.hpp"
#include "sentence.hpp"
#include "verdict.hpp"

namespace tenure::probe {

namespace {

// Never destroyed: calls of provider code may come until the process has ended.
Trial* current_trial = nullptr;

nlohmann::ordered_json outcome(Verdict verdict, std::string_view message) {
  return {{"verdict", verdict_name(verdict)}, {"message", message}};
}

[[noreturn]] void finish(std::string_view token, const nlohmann::ordered_json& content) {
  send_result(token, content);
  ::_exit(0);
}

}  // namespace

Trial::Trial(TrialRequest request, const Rule& rule, Breadcrumb& breadcrumb)
    : request_(std::move(request)), rule_(rule), breadcrumb_(breadcrumb) {}

Trial& Trial::current() noexcept { return *current_trial; }

void Trial::pass() { finish(request_.token, outcome(Verdict::passed, "")); }

void Trial::pass_with(std::string_view key, const nlohmann::ordered_json& content) {
  auto whole = outcome(Verdict::passed, "");
  whole[std::string(key)] = content;
  finish(request_.token, whole);
}

void Trial::pass_and_go_on() { send_result(request_.token, outcome(Verdict::passed, "")); }

void Trial::fail(std::string_view message) { finish(request_.token, outcome(Verdict::failed, message)); }

void Trial::skip(std::string_view reason) { finish(request_.token, outcome(Verdict::skipped, reason)); }

void Trial::skip_needs(std::string_view other, std::string_view message) {
  if (other == rule_.name) fail(message);
  auto content = outcome(Verdict::skipped, sentence("needs ", other, ": ", message));
  content["needs"] = other;
  finish(request_.token, content);
}

void Trial::skip_unavailable(std::string_view reason) {
  auto content = outcome(Verdict::skipped, reason);
  content["unavailable"] = true;
  finish(request_.token, content);
}

const ProviderImage& Trial::image() {
  if (!image_) {
    std::string error;
    image_ = call(abi::CallSlot::map_image, [&] { return ProviderImage::open(request_.file, error); });
    if (!image_) skip_needs(map_rule, error);
    breadcrumb_.set_image(image_->code_begin(), image_->code_end());
  }
  return *image_;
}

const tenure_provider& Trial::provider() {
  if (provider_ == nullptr) {
    const auto entry = image().entry();
    if (entry == nullptr)
      skip_needs("file.exports-one", sentence("the file exports no ", TENURE_ENTRY_SYMBOL));
    Answer answer;
    answer.code =
        call(abi::CallSlot::entry, [&] { return entry(host_.table(), &provider_, answer.status()); });
    if (!answer.ok()) skip_needs(entry_rule, sentence("the entry answered ", answer.text()));
    if (provider_ == nullptr) skip_needs(entry_rule, "the entry answered OK and gave no table");
  }
  return *provider_;
}

void run_trial(TrialRequest request, const Rule& rule, Breadcrumb& breadcrumb) {
  current_trial = new Trial(std::move(request), rule, breadcrumb);
  rule.check(*current_trial);
  current_trial->pass();
}

}  // namespace tenure::probe
