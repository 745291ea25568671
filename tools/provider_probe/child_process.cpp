// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

// glibc 2.36 does not say that its functions are C.
extern "C" {
#include <sys/pidfd.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "child_environment.hpp"
#include "probe_fault.hpp"
#include "processor_wait.hpp"
#include "temporary_folder.hpp"

namespace tenure::probe {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds abort_grace{2};
constexpr int starvation_limits = 20;  // of this many deadlines, at most
constexpr std::size_t result_bytes_max = 1 << 20;

[[noreturn]] void throw_fault(const char* what, int error) {
  throw ProbeFault(std::string(what) + ": " + std::strerror(error));
}

// A descriptor above those that a child has, so that placing them cannot overwrite it.
FileDescriptor lifted(FileDescriptor low) {
  FileDescriptor high(::fcntl(low.number(), F_DUPFD_CLOEXEC, 16));
  if (!high.is_open()) throw_fault("no file descriptor is left", errno);
  return high;
}

// The parent's end and the child's end of one stream.
struct Pipe {
  FileDescriptor parent;
  FileDescriptor child;

  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_fault("no pipe can be made", errno);
    parent = FileDescriptor(ends[0]);
    child = lifted(FileDescriptor(ends[1]));
    ::fcntl(parent.number(), F_SETFL, O_NONBLOCK);
  }
};

// Takes what is in a pipe now, but no more than a few pipes full, so that a child that never stops writing
// does not keep its deadline from being looked at. Returns false at the end of the pipe.
template <class Take>
bool drain(const FileDescriptor& descriptor, Take&& take) {
  std::array<char, 16384> buffer;
  for (int reads = 0; reads < 32; ++reads) {
    const ssize_t count = ::read(descriptor.number(), buffer.data(), buffer.size());
    if (count > 0) {
      take(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    } else if (count == 0) {
      return false;
    } else if (errno != EINTR) {
      return true;
    }
  }
  return true;
}

void append_bounded(std::string& text, std::string_view more, std::size_t bytes_max) {
  text.append(more.substr(0, bytes_max - std::min(bytes_max, text.size())));
}

// posix_spawn's settings of one child: its descriptors, folder, group and signals.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }

  void place(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void change_folder(const char* path) { ::posix_spawn_file_actions_addchdir_np(&actions_, path); }

  pid_t spawn(const ChildRequest& request, std::span<const std::string> environment) const {
    const std::string name = "provider-probe";
    std::vector<char*> arguments{const_cast<char*>(name.c_str())};
    for (const std::string& text : request.arguments) arguments.push_back(const_cast<char*>(text.c_str()));
    arguments.push_back(nullptr);
    std::vector<char*> variables;
    for (const std::string& text : environment) variables.push_back(const_cast<char*>(text.c_str()));
    variables.push_back(nullptr);
    pid_t child = -1;
    const int error = ::posix_spawn(&child, request.executable.c_str(), &actions_, &attributes_,
                                    arguments.data(), variables.data());
    if (error != 0) throw_fault("a child process cannot be started", error);
    return child;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// A running child, seen from the parent.
class Supervision {
 public:
  explicit Supervision(const ChildRequest& request)
      : limit_(request.deadline),
        start_(Clock::now()),
        deadline_(start_ + limit_),
        breadcrumb_(Breadcrumb::create()) {
    SpawnPlan plan;
    const FileDescriptor page = lifted(FileDescriptor(::dup(breadcrumb_.descriptor())));
    plan.place(output_.child.number(), STDOUT_FILENO);
    plan.place(error_.child.number(), STDERR_FILENO);
    plan.place(result_.child.number(), result_descriptor);
    plan.place(page.number(), breadcrumb_descriptor);
    plan.change_folder(folder_.path().c_str());
    std::size_t variable_count = 0;
    while (environ[variable_count] != nullptr) ++variable_count;
    child_ = plan.spawn(request, child_environment({environ, variable_count}, folder_.path().native()));
    exit_ = FileDescriptor(::pidfd_open(child_, 0));
    for (Pipe* pipe : {&output_, &error_, &result_}) pipe->child.close();
    if (!exit_.is_open()) {
      const int error = errno;
      kill_group();
      ::waitpid(child_, nullptr, 0);
      throw_fault("a child process cannot be watched", error);
    }
  }

  ChildOutcome finish() {
    while (!exited()) wait_for_event();
    kill_group();  // before the child is reaped, while its number cannot be another group's
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    take_output();
    outcome_.duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
    outcome_.breadcrumb = breadcrumb_.read();
    if (WIFSIGNALED(status)) outcome_.signal = WTERMSIG(status);
    if (WIFEXITED(status)) outcome_.exit_status = WEXITSTATUS(status);
    if (outcome_.end != ChildEnd::hung && WIFSIGNALED(status)) outcome_.end = ChildEnd::signalled;
    return std::move(outcome_);
  }

 private:
  bool exited() const {
    pollfd wanted{exit_.number(), POLLIN, 0};
    return ::poll(&wanted, 1, 0) == 1;
  }

  // Blocks until the child writes or ends, or its time is over.
  void wait_for_event() {
    const auto now = Clock::now();
    if (now >= deadline_ && outcome_.end != ChildEnd::hung) allow_for_starvation();
    if (now >= deadline_) {
      end_overdue_child();
      return;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - now);
    std::array<pollfd, 4> wanted{
        pollfd{exit_.number(), POLLIN, 0}, pollfd{output_.parent.number(), POLLIN, 0},
        pollfd{error_.parent.number(), POLLIN, 0}, pollfd{result_.parent.number(), POLLIN, 0}};
    ::poll(wanted.data(), wanted.size(), static_cast<int>(left.count()));
    take_output();
  }

  // On a busy machine a child is not late by the time in which it waited for a processor.
  void allow_for_starvation() {
    deadline_ =
        start_ + limit_ + std::min<Clock::duration>(processor_wait(child_), starvation_limits * limit_);
  }

  void end_overdue_child() {
    if (outcome_.end == ChildEnd::hung) {
      kill_group();
    } else {
      outcome_.end = ChildEnd::hung;
      ::kill(child_, SIGABRT);
    }
    deadline_ = Clock::now() + abort_grace;
  }

  void kill_group() const { ::kill(-child_, SIGKILL); }

  void take_output() {
    const auto capture = [](Pipe& pipe, auto take) {
      if (pipe.parent.is_open() && !drain(pipe.parent, take)) pipe.parent.close();
    };
    const auto keep = [](CapturedOutput& captured) {
      return [&captured](std::string_view text) {
        captured.bytes += text.size();
        append_bounded(captured.text, text, CapturedOutput::kept_bytes_max);
      };
    };
    capture(output_, keep(outcome_.standard_output));
    capture(error_, keep(outcome_.standard_error));
    capture(result_,
            [this](std::string_view text) { append_bounded(outcome_.result, text, result_bytes_max); });
  }

  std::chrono::milliseconds limit_;
  Clock::time_point start_;
  Clock::time_point deadline_;
  TemporaryFolder folder_;
  Breadcrumb breadcrumb_;
  Pipe output_;
  Pipe error_;
  Pipe result_;
  pid_t child_ = -1;
  FileDescriptor exit_;
  ChildOutcome outcome_;
};

}  // namespace

ChildOutcome run_child(const ChildRequest& request) { return Supervision(request).finish(); }

}  // namespace tenure::probe
