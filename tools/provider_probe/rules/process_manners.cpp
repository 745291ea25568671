// SPDX-License-Identifier: Apache-2.0
#include "rules/process_manners.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <charconv>
#include <clocale>
#include <cstring>
#include <filesystem>

#include "sentence.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tenure::probe {

namespace {

std::uintptr_t handler_of(int signal) {
  struct sigaction action {};
  if (::sigaction(signal, nullptr, &action) != 0) return 0;
  if ((action.sa_flags & SA_SIGINFO) != 0) return reinterpret_cast<std::uintptr_t>(action.sa_sigaction);
  return reinterpret_cast<std::uintptr_t>(action.sa_handler);
}

std::uint32_t floating_point_control() {
#if defined(__x86_64__)
  constexpr std::uint32_t sticky_flags = 0x3f;
  return _mm_getcsr() & ~sticky_flags;
#else
  return 0;
#endif
}

mode_t umask_now() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

// The entries of a folder of /proc whose names are numbers.
std::vector<int> numbered_entries(const char* folder) {
  std::vector<int> numbers;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    int number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc{}) {
      numbers.push_back(number);
    }
  }
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

ProcessManners ProcessManners::now() {
  ProcessManners manners;
  for (int signal = 1; signal < NSIG; ++signal) {
    manners.signal_handlers[static_cast<std::size_t>(signal)] = handler_of(signal);
  }
  manners.locale = std::setlocale(LC_ALL, nullptr);
  manners.rounding_mode = std::fegetround();
  manners.floating_point_control = probe::floating_point_control();
  std::error_code ignored;
  manners.folder = std::filesystem::current_path(ignored);
  for (char** variable = environ; *variable != nullptr; ++variable)
    manners.environment.emplace_back(*variable);
  std::ranges::sort(manners.environment);
  manners.umask = umask_now();
  for (int resource = 0; resource < RLIMIT_NLIMITS; ++resource) {
    rlimit limit{};
    if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0) {
      manners.limits[resource] = limit.rlim_cur;
    }
  }
  return manners;
}

std::vector<std::string> ProcessManners::differences(const ProcessManners& later) const {
  std::vector<std::string> found;
  for (std::size_t signal = 1; signal < signal_handlers.size(); ++signal) {
    if (signal_handlers[signal] != later.signal_handlers[signal]) {
      found.push_back(
          sentence("the handler of signal ", signal, " (", ::strsignal(static_cast<int>(signal)), ')'));
    }
  }
  if (locale != later.locale) found.push_back(sentence("the locale, now ", later.locale));
  if (rounding_mode != later.rounding_mode) found.emplace_back("the floating-point rounding mode");
  if (floating_point_control != later.floating_point_control) {
    found.emplace_back("the floating-point control register");
  }
  if (folder != later.folder) found.push_back(sentence("the current folder, now ", later.folder));
  if (environment != later.environment) found.emplace_back("the environment variables");
  if (umask != later.umask) found.push_back(sentence("the umask, now ", std::oct, later.umask));
  if (limits != later.limits) found.emplace_back("the resource limits");
  return found;
}

std::vector<int> thread_numbers() { return numbered_entries("/proc/self/task"); }

std::map<int, std::string> open_descriptors() {
  std::map<int, std::string> descriptors;
  for (const int number : numbered_entries("/proc/self/fd")) {
    std::error_code gone;  // the descriptor of the listing itself is closed by now
    auto target = std::filesystem::read_symlink(sentence("/proc/self/fd/", number), gone);
    if (!gone) descriptors.emplace(number, std::move(target));
  }
  return descriptors;
}

}  // namespace tenure::probe
