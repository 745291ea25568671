// SPDX-License-Identifier: Apache-2.0
// Registry::allocator and Registry::allocate, which need the domains of this layer.
#include <optional>
#include <string>

#include "loader/instance_control.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/loader/device.hpp"
#include "tenure/loader/registry.hpp"
#include "tenure/memory/allocation_domain.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// A number, if one device is asked for; otherwise any device of the type will do.
struct Wanted {
  DeviceType type;
  std::optional<std::int32_t> id;

  bool is(const DeviceInfo& device) const noexcept {
    return device.dlpack_type == static_cast<std::int32_t>(type) && (!id || device.dlpack_id == *id);
  }
  std::string text() const {
    std::string text = "device of type " + std::string(device_type_name(type)) + " (" +
                       std::to_string(static_cast<std::int32_t>(type)) + ")";
    return id ? text + " and number " + std::to_string(*id) : text;
  }
};

// "org.tenure.cpu with cpu:0"
std::string describe(const Provider& provider) {
  std::string text(provider.registered_id());
  const auto instances = InstanceControl::open_instances(*provider.module());
  if (instances.empty()) return text + ", which is not open";
  text += " with";
  const auto devices = instances.front()->devices();
  for (const DeviceInfo& device : devices) text.append(" ").append(device.name);
  return devices.empty() ? text + "out devices" : text;
}

[[noreturn]] void throw_none(const char* operation, const Wanted& wanted,
                             const std::vector<Provider>& providers) {
  std::string loaded;
  for (const Provider& provider : providers)
    loaded.append(loaded.empty() ? "" : "; ").append(describe(provider));
  throw ProviderError(operation, "", TENURE_NOT_FOUND,
                      "no open provider has a " + wanted.text() + "; loaded are " +
                          (loaded.empty() ? "none" : loaded) +
                          ". Load a provider of such devices, open it, and keep the instance");
}

AllocationDomain find_default(const char* operation, const Wanted& wanted,
                              const std::vector<Provider>& providers) {
  for (const Provider& provider : providers) {
    for (const InstanceControl* instance : InstanceControl::open_instances(*provider.module())) {
      for (const DeviceInfo& device : instance->devices()) {
        if (wanted.is(device))
          return AllocationDomain(&instance->find_domain(operation, device.default_domain));
      }
    }
  }
  throw_none(operation, wanted, providers);
}

}  // namespace

AllocationDomain Registry::allocator(DeviceType type) const {
  return find_default("Registry::allocator", {type, std::nullopt}, providers());
}

Storage Registry::allocate(std::size_t bytes, const Device& device) const {
  constexpr const char* operation = "Registry::allocate";
  return find_default(operation, {device.type, device.id}, providers()).allocate_for(operation, bytes, 0);
}

}  // namespace tenure::inline TENURE_BUILD
