// SPDX-License-Identifier: Apache-2.0
// log: one line of text at a time, from Tenure and from its providers, to a place that the user chooses.
#pragma once

#include <functional>
#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// The numbers are those of TENURE_LOG_*.
enum class LogLevel : int {
  error = 0,
  warning = 1,
  info = 2,
  debug = 3,
};

TENURE_API std::string_view log_level_name(LogLevel level) noexcept;

// Called with one line without its end. It runs on the thread that logs, possibly on many at once, with
// no lock of Tenure held, so it may call anything, including set_log_sink. What it throws is dropped.
using LogSink = std::function<void(LogLevel, std::string_view line)>;

// Replaces the place that lines go to. An empty function brings back the default, which writes all but
// debug lines to standard error. A line that another thread is logging may still reach the old sink.
TENURE_API void set_log_sink(LogSink sink);

// Hands one line to the sink; a line that cannot be handed over is lost.
TENURE_API void log(LogLevel level, std::string_view line) noexcept;

}  // namespace tenure::inline TENURE_BUILD
