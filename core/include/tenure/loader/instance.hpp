// SPDX-License-Identifier: Apache-2.0
// instance: one opened use of a provider, from which domains, memory and engines come.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tenure/config.h"
#include "tenure/loader/device_info.hpp"
#include "tenure/loader/domain_info.hpp"

namespace tenure::inline TENURE_BUILD {

class AllocationDomain;
class Engine;
class InstanceControl;
class Provider;
struct EngineOptions;

// A handle; copies are handles of the same instance, and moving copies, so that none is ever empty. When the
// last handle is gone the instance closes: at once, or with the last storage, pool or engine that was made
// from it. That never blocks on those objects and never fails. Everything made from an instance works
// without a handle of it, and may make more.
class TENURE_API Instance {
 public:
  Instance(const Instance&) = default;
  Instance& operator=(const Instance&) = default;
  ~Instance() = default;

  // Closes now, and joins the instance's threads. Throws ProviderError (FAILED_PRECONDITION) and changes
  // nothing while storages, pools or engines live, and lists them by kind, count and bytes. Bytes that left
  // their tensor as a vector do not count: they stay valid, and the last of them closes the provider. On a
  // closed instance it does nothing. Also FAILED_PRECONDITION in a child process forked after `open`.
  void close();
  bool is_closed() const noexcept;

  Provider provider() const;
  // In the provider's order.
  std::vector<DeviceInfo> devices() const;
  std::vector<DomainInfo> domains() const;
  // Asks the provider. Throws ProviderError: NOT_FOUND with the known names, FAILED_PRECONDITION when
  // the instance is closed, or what the provider answered.
  DomainStatistics statistics(std::string_view domain) const;

  // The domain of that name. Throws ProviderError (NOT_FOUND) that lists the known names.
  AllocationDomain domain(std::string_view name) const;
  // The default domain of the first device, or the first domain of an instance without devices.
  AllocationDomain default_domain() const;
  // Pairs an executor of this instance with a pool of the output domain.
  Engine engine(const EngineOptions& options) const;

  // For the layers of Tenure that are built on this one; never null, never freed.
  InstanceControl* control() const noexcept { return control_.get(); }

 private:
  friend class Provider;
  explicit Instance(InstanceControl* control);

  std::shared_ptr<InstanceControl> control_;  // its deleter does not free: it lets the instance drain
};

}  // namespace tenure::inline TENURE_BUILD
