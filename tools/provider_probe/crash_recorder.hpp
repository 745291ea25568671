// SPDX-License-Identifier: Apache-2.0
// crash_recorder: writes the signal that ends this process into its breadcrumb.
#pragma once

#include "breadcrumb.hpp"

namespace tenure::probe {

// Installs handlers for the signals that mean a crash. Each writes to the breadcrumb, puts the former
// handler back and lets the signal strike again, so that a sanitizer still prints its report. The
// breadcrumb must live until the process ends.
void record_crashes(Breadcrumb& breadcrumb);

}  // namespace tenure::probe
