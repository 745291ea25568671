// SPDX-License-Identifier: Apache-2.0
// trial: the test of one rule on one provider, in the child that runs it.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>

#include "breadcrumb.hpp"
#include "rule.hpp"
#include "rules/host_table.hpp"
#include "rules/provider_image.hpp"
#include "tenure/abi/interposer.hpp"

namespace tenure::probe {

// What the parent asks a child to test.
struct TrialRequest {
  std::string token;  // of the result
  std::string file;   // absolute
};

// There is one in a process. A verdict is sent to the parent and the process ended at once, without a
// further call into the provider, so that neither clean-up nor static destructors can blur it. Verdicts
// may come from any thread; everything else belongs to the main thread.
class Trial final : public abi::CallObserver {
 public:
  Trial(TrialRequest request, const Rule& rule, Breadcrumb& breadcrumb);
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // The one of this process.
  static Trial& current() noexcept;

  [[noreturn]] void pass();
  // The same, with something that was found out.
  [[noreturn]] void pass_with(std::string_view key, const nlohmann::ordered_json& content);
  // Sends that the rule passed, and returns, for what a process does after its last statement. A crash
  // that follows counts as one.
  void pass_and_go_on();
  [[noreturn]] void fail(std::string_view message);
  // `reason` is one of the sentences of a fixed list, free of facts that differ between machines.
  [[noreturn]] void skip(std::string_view reason);
  // The rule cannot be tested since `other` does not hold; fails when that is this rule itself.
  [[noreturn]] void skip_needs(std::string_view other, std::string_view message);
  // The provider says that it cannot work on this machine.
  [[noreturn]] void skip_unavailable(std::string_view reason);
  void expect(bool holds, std::string_view message) {
    if (!holds) fail(message);
  }

  const std::string& file() const noexcept { return request_.file; }
  const Rule& rule() const noexcept { return rule_; }
  HostTable& host() noexcept { return host_; }
  // The mapped file. Maps it at the first call; skips the rule when that fails.
  const ProviderImage& image();
  // What the entry gave. Calls it once; skips the rule when it answers with a failure.
  const tenure_provider& provider();

  // Runs `function` as a call of `slot`.
  template <class Function>
  auto call(abi::CallSlot slot, Function&& function) {
    entering(slot);
    if constexpr (std::is_void_v<decltype(function())>) {
      function();
      left(slot, TENURE_OK);
    } else {
      auto answer = function();
      left(slot, TENURE_OK);
      return answer;
    }
  }
  void entering(abi::CallSlot slot) noexcept override { breadcrumb_.entering(slot); }
  void left(abi::CallSlot, std::int32_t) noexcept override { breadcrumb_.left(); }

 private:
  TrialRequest request_;
  const Rule& rule_;
  Breadcrumb& breadcrumb_;
  HostTable host_;
  std::unique_ptr<ProviderImage> image_;
  const tenure_provider* provider_ = nullptr;
};

// Runs the test of a rule, sends the verdict and ends the process.
[[noreturn]] void run_trial(TrialRequest request, const Rule& rule, Breadcrumb& breadcrumb);

}  // namespace tenure::probe
