// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/instance.hpp"

#include "loader/instance_control.hpp"
#include "loader/module.hpp"
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

}  // namespace tenure::inline TENURE_BUILD
