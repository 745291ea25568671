// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/instance.hpp"

#include "loader/instance_control.hpp"
#include "loader/module.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/loader/provider.hpp"

namespace tenure::inline TENURE_BUILD {

Instance::Instance(InstanceControl* control)
    : control_(control, [](InstanceControl* each) { each->drain(); }) {}

void Instance::close() { control_->close(); }

bool Instance::is_closed() const noexcept { return control_->is_closed(); }

Provider Instance::provider() const { return Provider(&control_->module()); }

std::vector<DeviceInfo> Instance::devices() const {
  return {control_->devices().begin(), control_->devices().end()};
}

std::vector<DomainInfo> Instance::domains() const {
  return {control_->domains().begin(), control_->domains().end()};
}

DomainStatistics Instance::statistics(std::string_view domain) const {
  constexpr std::string_view operation = "Instance::statistics";
  const DomainRecord& record = control_->find_domain(operation, domain);
  auto status = abi::make_struct<tenure_status>();
  auto raw = abi::make_struct<tenure_domain_statistics>();
  control_->retain(LiveKind::call, 0);
  const std::int32_t code =
      control_->api().domain_statistics(control_->handle(), record.index, &raw, &status);
  control_->release(LiveKind::call, 0);
  if (code != TENURE_OK) {
    throw ProviderError::answered(std::string(operation), control_->provider_id(),
                                  "asking for the statistics of " + record.name, code, status);
  }
  return {.live_count = raw.live_count,
          .live_bytes = raw.live_bytes,
          .reserved_bytes = raw.reserved_bytes,
          .peak_bytes = raw.peak_bytes,
          .create_calls = raw.create_calls,
          .release_calls = raw.release_calls,
          .failed_calls = raw.failed_calls};
}

}  // namespace tenure::inline TENURE_BUILD
