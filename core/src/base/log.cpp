// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/log.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace tenure::inline TENURE_BUILD {

namespace {

struct Target {
  std::mutex mutex;                     // guards the pointer only
  std::shared_ptr<const LogSink> sink;  // null: the default
};

// Never destroyed, so that a line logged while the process exits still has a place to go.
Target& target() noexcept {
  static Target& instance = *new Target;
  return instance;
}

void write_to_standard_error(LogLevel level, std::string_view line) {
  if (level > LogLevel::info) return;
  std::string text("tenure ");
  text.append(log_level_name(level)).append(": ").append(line).append("\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

std::string_view log_level_name(LogLevel level) noexcept {
  constexpr std::array<std::string_view, 4> names{"error", "warning", "info", "debug"};
  const auto index = static_cast<std::size_t>(level);
  return index < names.size() ? names[index] : names.back();
}

void set_log_sink(LogSink sink) {
  auto fresh = sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr;
  {
    const std::lock_guard lock(target().mutex);
    target().sink.swap(fresh);
  }
  // The old sink, which may run code of the user's when it goes, is destroyed here, without the lock.
}

void log(LogLevel level, std::string_view line) noexcept {
  try {
    std::shared_ptr<const LogSink> sink;
    {
      const std::lock_guard lock(target().mutex);
      sink = target().sink;
    }
    if (sink) {
      (*sink)(level, line);
    } else {
      write_to_standard_error(level, line);
    }
  } catch (...) {
    // The caller has something more important to do than to learn that its line was lost.
  }
}

}  // namespace tenure::inline TENURE_BUILD
