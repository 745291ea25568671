// SPDX-License-Identifier: Apache-2.0
// instance_control: the block behind an Instance, to which everything made from it points.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loader/live_counts.hpp"
#include "loader/thread_index.hpp"
#include "tenure/config.h"
#include "tenure/loader/device_info.hpp"
#include "tenure/loader/domain_info.hpp"
#include "tenure/provider_abi.h"
#include "tenure/provider_engine.h"
#include "tenure/provider_pool.h"

namespace tenure::inline TENURE_BUILD {

class InstanceControl;
class Module;

// A domain of an opened instance. Never freed, like the control block that it belongs to.
struct DomainRecord : DomainInfo {
  InstanceControl* instance = nullptr;

  // All of these TENURE_ACCESS_* bits.
  bool allows(std::uint32_t bits) const noexcept { return (access & bits) == bits; }
};

// Never freed, so a record may hold a plain pointer to it. It counts live objects by thread, so that
// making and releasing a tensor writes no cache line that other threads write.
class InstanceControl : public std::enable_shared_from_this<InstanceControl> {
 public:
  InstanceControl(const InstanceControl&) = delete;
  InstanceControl& operator=(const InstanceControl&) = delete;

  // The provider's table, completed to this build's length: optional slots that it lacks are null.
  const tenure_instance_api& api() const noexcept { return api_; }
  tenure_instance* handle() const noexcept { return handle_; }
  // Null when the provider does not offer the extension. Completed like `api`.
  const tenure_pool_api* pool_api() const noexcept { return pool_api_ ? &*pool_api_ : nullptr; }
  const tenure_engine_api* engine_api() const noexcept { return engine_api_ ? &*engine_api_ : nullptr; }

  const Module& module() const noexcept { return module_; }
  const std::string& provider_id() const noexcept;
  std::span<const DomainRecord> domains() const noexcept { return domains_; }
  const DomainRecord* default_domain() const noexcept { return &domains_[default_domain_]; }
  // Throws ProviderError (NOT_FOUND) that lists the known names.
  const DomainRecord& find_domain(std::string_view operation, std::string_view name) const;
  std::span<const DeviceInfo> devices() const noexcept { return devices_; }

  // A handle as the user has them, for what makes objects later on its own; null when none is left.
  std::shared_ptr<InstanceControl> share() noexcept { return weak_from_this().lock(); }

  // Call it before the provider makes the object. Throws ProviderError (FAILED_PRECONDITION) when the
  // instance is closed, or was opened in the process that this one was forked from.
  void retain(LiveKind kind, std::uint64_t bytes) {
    live_.add(thread_index(), kind, bytes);
    if (state_.load() != State::open) [[unlikely]] {
      if (!keep_counted(kind, bytes)) refuse(kind);
    }
  }
  // The same without an error: false, and nothing retained.
  bool try_retain(LiveKind kind, std::uint64_t bytes) noexcept;
  // For a call on an object that is retained already. Throws ProviderError (FAILED_PRECONDITION) in a process
  // that was forked from the one that opened the instance.
  void require_usable() const {
    if (state_.load(std::memory_order_relaxed) == State::forked) refuse(LiveKind::call);
  }
  // Call it after the provider has released the object. The last release of a draining instance closes it.
  void release(LiveKind kind, std::uint64_t bytes) noexcept {
    live_.subtract(thread_index(), kind, bytes);
    if (state_.load() != State::open) [[unlikely]] {
      close_if_draining();
    }
  }
  // A live object goes on as one of another kind.
  void convert(LiveKind from, LiveKind to, std::uint64_t bytes) noexcept;

  // What Instance::close promises.
  void close();
  // The last handle of the user is gone: closes now or with the last live object.
  void drain() noexcept;
  bool is_closed() const noexcept {
    const State state = state_.load();
    return state == State::closed || state == State::retired;
  }
  LiveCounts::Sum live() const noexcept { return live_.sum(); }

  // What an opened provider instance turned out to be.
  struct Facts {
    tenure_instance* handle = nullptr;
    tenure_instance_api api{};
    std::optional<tenure_pool_api> pool_api;
    std::optional<tenure_engine_api> engine_api;
    std::vector<DeviceInfo> devices;
    std::vector<DomainInfo> domains;  // at least one
    std::size_t default_domain = 0;
  };
  // Takes over the handle, and joins the process's list of instances.
  static InstanceControl& adopt(const Module& module, Facts facts);

  // Those of a module that the user has a handle of, the one that was opened first first.
  static std::vector<InstanceControl*> open_instances(const Module& module);

  // Tells the pools of every open instance that the thread of this index has ended.
  static void thread_ended(std::uint32_t thread_index) noexcept;
  // In a forked child: what was open in the parent cannot be used here, unless it says that it can.
  static void process_forked() noexcept;

 private:
  enum class State : std::uint8_t {
    open,
    draining,  // no handle is left, or close() is deciding
    retired,   // closed for the user: extracted bytes are left, and nothing new is made
    closed,
    forked,  // opened in the process that this one was forked from
  };

  InstanceControl(const Module& module, Facts facts);
  ~InstanceControl() = default;
  [[noreturn]] void refuse(LiveKind kind) const;
  // Of an object that is counted already: whether it may live, otherwise it is counted no more.
  bool keep_counted(LiveKind kind, std::uint64_t bytes) noexcept;
  void close_if_draining() noexcept;
  void begin_draining() noexcept;
  void close_if_unused() noexcept;

  const Module& module_;
  tenure_instance* handle_;
  tenure_instance_api api_;
  std::optional<tenure_pool_api> pool_api_;
  std::optional<tenure_engine_api> engine_api_;
  std::vector<DeviceInfo> devices_;
  std::vector<DomainRecord> domains_;
  std::size_t default_domain_;
  InstanceControl* next_ = nullptr;  // of the process's list, newest first

  std::atomic<State> state_{State::open};
  std::mutex deciding_;  // held while it is decided whether nothing lives any more; never across a call
  LiveCounts live_;
};

}  // namespace tenure::inline TENURE_BUILD
