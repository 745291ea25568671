// SPDX-License-Identifier: Apache-2.0
// ending_signals: what the probe leaves tidy when somebody ends it.
#pragma once

namespace tenure::probe {

// From now on SIGHUP, SIGINT and SIGTERM end the process only after the folders of its children are gone. To
// be called once, before any thread is started. Without a thread to spare they end it as ever.
void tidy_up_on_ending_signals() noexcept;

}  // namespace tenure::probe
