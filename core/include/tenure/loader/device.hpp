// SPDX-License-Identifier: Apache-2.0
// device: which device, in the numbers that providers report.
#pragma once

#include <cstdint>
#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// DLPack's numbers; one that is not listed here may be cast to it.
enum class DeviceType : std::int32_t {
  cpu = 1,
  cuda = 2,
  vulkan = 7,
  metal = 8,
  rocm = 10,
  extension = 12,  // a device that DLPack does not know
  one_api = 14,
  webgpu = 15,
};

TENURE_API std::string_view device_type_name(DeviceType type) noexcept;

struct Device {
  DeviceType type = DeviceType::cpu;
  std::int32_t id = 0;

  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace tenure::inline TENURE_BUILD
