// SPDX-License-Identifier: Apache-2.0
#include "loader/instance_control.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "loader/id_sequence.hpp"
#include "loader/module.hpp"
#include "loader/process_fork.hpp"
#include "tenure/abi/asymmetric_fence.hpp"
#include "tenure/base/provider_error.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// All instances that this process ever opened, newest first.
std::atomic<InstanceControl*> newest{nullptr};

constinit IdSequence ids_of_domains;

std::uint64_t next_domain_id(const std::string& provider_id) {
  if (const std::uint64_t id = domain_ids().next()) return id;
  throw ProviderError(
      "Provider::open", provider_id, TENURE_RESOURCE_EXHAUSTED,
      "an id for each domain was wanted, but this process has given out all of them; restart it");
}

constexpr std::array<std::string_view, live_kind_count> kind_names{"storage", "pool", "engine", "call",
                                                                   "extracted storage"};

std::string listed(const LiveCounts::Sum& live) {
  std::string text;
  for (std::size_t at = 0; at < live_kind_count; ++at) {
    if (live.counts[at] == 0) continue;
    text.append(text.empty() ? "" : ", ").append(std::to_string(live.counts[at])).append(" ");
    text.append(kind_names[at]).append(live.counts[at] == 1 ? "" : "s");
    if (live.bytes[at] != 0) text.append(" of ").append(std::to_string(live.bytes[at])).append(" bytes");
  }
  return text;
}

}  // namespace

IdSequence& domain_ids() noexcept { return ids_of_domains; }

InstanceControl::InstanceControl(const Module& module, Facts facts)
    : module_(module),
      handle_(facts.handle),
      api_(facts.api),
      pool_api_(facts.pool_api),
      engine_api_(facts.engine_api),
      devices_(std::move(facts.devices)),
      default_domain_(facts.default_domain) {
  domains_.reserve(facts.domains.size());
  for (DomainInfo& info : facts.domains) {
    info.id = next_domain_id(module.id());
    domains_.push_back({std::move(info), this});
  }
}

InstanceControl& InstanceControl::adopt(const Module& module, Facts facts) {
  fork_generation();  // from here on a fork is noticed
  auto* const control = new InstanceControl(module, std::move(facts));
  control->next_ = newest.load();
  while (!newest.compare_exchange_weak(control->next_, control)) {
  }
  return *control;
}

const std::string& InstanceControl::provider_id() const noexcept { return module_.id(); }

const DomainRecord& InstanceControl::find_domain(std::string_view operation, std::string_view name) const {
  const auto at = std::ranges::find(domains_, name, &DomainRecord::name);
  if (at != domains_.end()) return *at;
  std::string message = "there is no domain '" + std::string(name) + "' in " + provider_id() + "; it has";
  for (const DomainRecord& domain : domains_) message.append(" '").append(domain.name).append("'");
  throw ProviderError(std::string(operation), provider_id(), TENURE_NOT_FOUND, std::move(message));
}

// A count is raised before the state is looked at, and whoever closes sets the state before it sums the
// counts. So either this thread sees that the instance is draining, or the sum sees this object. While it
// drains it is used by what still lives; only who holds the lock decides that nothing does.
bool InstanceControl::try_retain(LiveKind kind, std::uint64_t bytes) noexcept {
  live_.add(thread_index(), kind, bytes);
  return state_.load() == State::open || keep_counted(kind, bytes);
}

bool InstanceControl::keep_counted(LiveKind kind, std::uint64_t bytes) noexcept {
  State state = state_.load();
  if (state == State::draining) {
    const std::lock_guard lock(deciding_);
    state = state_.load();
  }
  if (state == State::open || state == State::draining) return true;
  release(kind, bytes);
  return false;
}

void InstanceControl::refuse(LiveKind kind) const {
  const bool forked = state_.load() == State::forked;
  throw ProviderError(
      "Instance", provider_id(), TENURE_FAILED_PRECONDITION,
      "a " + std::string(kind_names[static_cast<std::size_t>(kind)]) + " was asked of an instance of " +
          provider_id() +
          (forked ? " that was opened in the process that this one was forked from; open one here"
                  : " that is closed; keep a handle of the instance, or open another one"));
}

void InstanceControl::close_if_draining() noexcept {
  const State state = state_.load();
  if (state == State::draining || state == State::retired) close_if_unused();
}

void InstanceControl::convert(LiveKind from, LiveKind to, std::uint64_t bytes) noexcept {
  // Never zero in between, so that a draining instance stays open: a sum that misses the old kind was made
  // after the new one was counted, as it reads the kinds in order.
  live_.add(thread_index(), to, bytes);
  live_.subtract(thread_index(), from, bytes);
}

// Needs deciding_, so that nobody who sees the new state sums before the fence.
void InstanceControl::begin_draining() noexcept {
  state_.store(State::draining);
  abi::heavy_fence();
}

void InstanceControl::close_if_unused() noexcept {
  {
    const std::lock_guard lock(deciding_);
    const State state = state_.load();
    if ((state != State::draining && state != State::retired) || !live_.sum().is_zero()) return;
    state_.store(State::closed);
  }
  module_.provider().close(handle_);
}

void InstanceControl::drain() noexcept {
  {
    const std::lock_guard lock(deciding_);
    if (state_.load() != State::open) return;
    begin_draining();
  }
  close_if_unused();
}

void InstanceControl::close() {
  {
    const std::lock_guard lock(deciding_);
    const State before = state_.load();
    if (before == State::closed || before == State::retired) return;
    if (before == State::forked) {
      throw ProviderError("Instance::close", provider_id(), TENURE_FAILED_PRECONDITION,
                          "an instance of " + provider_id() +
                              " was opened in the process that this one was forked from; close it there");
    }
    begin_draining();
    const LiveCounts::Sum live = live_.sum().in_use();
    if (!live.is_zero()) {
      state_.store(before);
      throw ProviderError("Instance::close", provider_id(), TENURE_FAILED_PRECONDITION,
                          "an instance of " + provider_id() + " is still in use by " + listed(live) +
                              "; release them first, or drop the handle to have the last release close it");
    }
    state_.store(State::retired);
  }
  close_if_unused();
}

std::vector<InstanceControl*> InstanceControl::open_instances(const Module& module) {
  std::vector<InstanceControl*> open;
  for (InstanceControl* each = newest.load(); each != nullptr; each = each->next_) {
    if (&each->module_ == &module && each->state_.load() == State::open) open.push_back(each);
  }
  std::ranges::reverse(open);
  return open;
}

void InstanceControl::thread_ended(std::uint32_t thread_index) noexcept {
  for (InstanceControl* each = newest.load(); each != nullptr; each = each->next_) {
    if (!each->pool_api_ || !each->try_retain(LiveKind::call, 0)) continue;
    each->pool_api_->thread_exit(each->handle_, thread_index);
    each->release(LiveKind::call, 0);
  }
}

// Runs in the child between fork and everything else: stores only.
void InstanceControl::process_forked() noexcept {
  for (InstanceControl* each = newest.load(); each != nullptr; each = each->next_) {
    if (!each->module_.is_fork_safe() && each->state_.load() != State::closed)
      each->state_.store(State::forked);
  }
}

}  // namespace tenure::inline TENURE_BUILD
