// SPDX-License-Identifier: Apache-2.0
// instance_opening: from a module to an opened instance, of which everything is known and checked.
#pragma once

#include "loader/instance_control.hpp"
#include "loader/module.hpp"
#include "tenure/config.h"
#include "tenure/loader/provider.hpp"

namespace tenure::inline TENURE_BUILD {

// What Provider::availability promises.
Availability ask_availability(const Module& module);

// What Provider::open promises. On failure the provider's instance has been closed again.
InstanceControl& open_instance(const Module& module, const OpenOptions& options);

}  // namespace tenure::inline TENURE_BUILD
