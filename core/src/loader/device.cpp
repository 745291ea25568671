// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/device.hpp"

namespace tenure::inline TENURE_BUILD {

std::string_view device_type_name(DeviceType type) noexcept {
  switch (type) {
    case DeviceType::cpu:
      return "cpu";
    case DeviceType::cuda:
      return "cuda";
    case DeviceType::vulkan:
      return "vulkan";
    case DeviceType::metal:
      return "metal";
    case DeviceType::rocm:
      return "rocm";
    case DeviceType::extension:
      return "extension";
    case DeviceType::one_api:
      return "one_api";
    case DeviceType::webgpu:
      return "webgpu";
  }
  return "unknown";
}

}  // namespace tenure::inline TENURE_BUILD
