// SPDX-License-Identifier: Apache-2.0
// child_verb: what the probe does when it has started itself as a child.
#pragma once

namespace tenure::probe {

// Runs the hidden verb that argv names, and does not return then. Returns when argv is a user's.
void run_child_verb(int argc, char** argv);

}  // namespace tenure::probe
