// SPDX-License-Identifier: Apache-2.0
// device_info: what an instance says about one of its devices.
#pragma once

#include <cstdint>
#include <string>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Constant for the life of the instance.
struct DeviceInfo {
  std::string name;  // "cpu:0"
  std::int32_t dlpack_type = 0;
  std::int32_t dlpack_id = 0;
  std::string default_domain;  // the name of the domain that outputs go to unless the user says otherwise
};

}  // namespace tenure::inline TENURE_BUILD
