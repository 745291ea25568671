// SPDX-License-Identifier: Apache-2.0
#include "suite_run.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <thread>

#include "probe_fault.hpp"
#include "sentence.hpp"
#include "usage_error.hpp"

namespace tenure::probe {

namespace {

bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [text = std::string(name)](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
  });
}

// A pattern that matches nothing is a mistake, and would make an empty test look like a good one.
void require_match(const std::string& pattern) {
  const bool any =
      std::ranges::any_of(all_rules(), [&](const Rule& rule) { return matches_any({pattern}, rule.name); });
  if (!any) throw UsageError(sentence("no rule matches '", pattern, "'; provider-probe explain lists them"));
}

// The result of a rule that is not run on account of another. Where that one was skipped itself, the reason
// is the same.
RuleResult skipped_result(const Rule& rule, const RuleResult& blocking) {
  RuleResult result;
  result.name = rule.name;
  result.verdict = Verdict::skipped;
  if (blocking.verdict == Verdict::skipped) {
    result.unavailable = blocking.unavailable;
    result.needs = blocking.needs;
    result.message = blocking.message;
  } else {
    result.needs = blocking.name;
    result.message = sentence("needs ", blocking.name, ", which ", verdict_name(blocking.verdict));
  }
  return result;
}

// The runs of one suite, shared by its workers.
class Suite {
 public:
  Suite(const std::vector<const Rule*>& rules, const RuleRunner& run) : rules_(rules), run_(run) {
    for (std::size_t i = 0; i < rules.size(); ++i) places_[rules[i]->name] = i;
    results_.resize(rules.size());
    states_.resize(rules.size(), State::waiting);
  }

  std::vector<RuleResult> finish(unsigned jobs) {
    // A child dies with the thread that started it, so every worker outlives its children.
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, jobs); ++i) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
    if (fault_) std::rethrow_exception(fault_);
    std::vector<RuleResult> results;
    for (std::optional<RuleResult>& result : results_) {
      if (result) results.push_back(std::move(*result));
    }
    return results;
  }

 private:
  enum class State {
    waiting,
    running,
    done
  };

  void work() {
    std::unique_lock lock(mutex_);
    while (!fault_) {
      const auto next = next_ready();
      if (!next) {
        if (std::ranges::find(states_, State::waiting) == states_.end()) return;
        changed_.wait(lock);
        continue;
      }
      states_[*next] = State::running;
      lock.unlock();
      std::optional<RuleResult> result;
      std::exception_ptr fault;
      try {
        result = run_(*rules_[*next]);
      } catch (...) {
        fault = std::current_exception();
      }
      lock.lock();
      if (fault) fault_ = fault;
      settle(*next, std::move(result));
    }
    changed_.notify_all();
  }

  // The first waiting rule whose prerequisites are done and hold. Skips those that are blocked.
  std::optional<std::size_t> next_ready() {
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (states_[i] != State::waiting) continue;
      const auto names = rules_[i]->prerequisites();
      if (!std::ranges::all_of(names, [this](std::string_view name) { return is_done(name); })) continue;
      const auto blocking =
          std::ranges::find_if(names, [&](std::string_view name) { return blocks(name, *rules_[i]); });
      if (blocking == names.end()) return i;
      settle(i, skipped_result(*rules_[i], *results_[places_.at(*blocking)]));
    }
    return std::nullopt;
  }

  void settle(std::size_t place, std::optional<RuleResult> result) {
    results_[place] = std::move(result);
    states_[place] = State::done;
    changed_.notify_all();
  }

  bool is_done(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() || states_[found->second] == State::done;
  }

  bool blocks(std::string_view name, const Rule& rule) const {
    const auto found = places_.find(name);
    if (found == places_.end()) return false;  // it was not chosen
    const Verdict verdict = results_[found->second]->verdict;
    if (verdict == Verdict::passed || verdict == Verdict::warning) return false;
    // A rule finds out by itself whether the provider opens well enough for it.
    const bool only_failed = verdict == Verdict::failed && name == open_rule;
    return !only_failed || std::ranges::find(rule.needs, name) != rule.needs.end();
  }

  const std::vector<const Rule*>& rules_;
  const RuleRunner& run_;
  std::map<std::string_view, std::size_t> places_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<State> states_;
  std::vector<std::optional<RuleResult>> results_;
  std::exception_ptr fault_;
};

// A skip that blames a rule which passed hides a defect.
void contradict(std::vector<RuleResult>& results) {
  for (RuleResult& result : results) {
    if (result.verdict != Verdict::skipped || result.needs.empty()) continue;
    const auto blamed = std::ranges::find(results, result.needs, &RuleResult::name);
    if (blamed == results.end() || blamed->verdict != Verdict::passed) continue;
    result.verdict = Verdict::failed;
    result.message += sentence(", although ", result.needs, " passed");
    result.needs.clear();
  }
}

}  // namespace

std::vector<const Rule*> select_rules(const SuiteOptions& options) {
  for (const auto* patterns : {&options.only, &options.skip}) {
    for (const std::string& pattern : *patterns) require_match(pattern);
  }
  std::set<std::string_view> chosen;
  const auto rules = all_rules();
  // Prerequisites stand before the rules that need them.
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    if (matches_any(options.skip, rule->name)) continue;
    const bool is_wanted = options.only.empty() || matches_any(options.only, rule->name);
    if (!is_wanted && !chosen.contains(rule->name)) continue;
    chosen.insert(rule->name);
    for (const std::string_view name : rule->prerequisites()) {
      if (!matches_any(options.skip, name)) chosen.insert(name);
    }
  }
  std::vector<const Rule*> selected;
  for (const Rule& rule : rules) {
    if (chosen.contains(rule.name)) selected.push_back(&rule);
  }
  if (selected.empty()) throw UsageError("--skip leaves none of the rules to be tested");
  return selected;
}

std::vector<RuleResult> run_suite(const std::vector<const Rule*>& rules, unsigned jobs,
                                  const RuleRunner& run) {
  std::vector<RuleResult> results = Suite(rules, run).finish(jobs);
  const bool complete =
      std::ranges::equal(results, rules, {}, &RuleResult::name, [](const Rule* rule) { return rule->name; });
  if (!complete) {
    throw ProbeFault(sentence(rules.size(), " rules were to be tested and there are ", results.size(),
                              " results, or one of another rule"));
  }
  contradict(results);
  return results;
}

ExitCode exit_code_of(const std::vector<RuleResult>& results, const ExitRules& rules) {
  ExitCode code = ExitCode::good;
  for (const RuleResult& result : results) {
    switch (result.verdict) {
      case Verdict::passed:
        break;
      case Verdict::failed: {
        const Rule* rule = find_rule(result.name);
        code = graver(code, rule == nullptr ? ExitCode::findings : rule->exit_code);
        break;
      }
      case Verdict::crashed:
        code = graver(code, ExitCode::crashed);
        break;
      case Verdict::hung:
        code = graver(code, ExitCode::hung);
        break;
      case Verdict::skipped:
        if (result.unavailable && rules.unavailable_counts) code = graver(code, ExitCode::unavailable);
        break;
      case Verdict::warning:
        if (rules.warnings_count) code = graver(code, ExitCode::warnings);
        break;
    }
  }
  return code;
}

}  // namespace tenure::probe
