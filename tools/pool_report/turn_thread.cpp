// SPDX-License-Identifier: Apache-2.0
#include "turn_thread.hpp"

#include <utility>

namespace tenure::pool_report {

TurnThread::TurnThread() : thread_([this] { work(); }) {}

TurnThread::~TurnThread() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TurnThread::run(const std::function<void()>& function) {
  std::unique_lock lock(mutex_);
  function_ = &function;
  changed_.notify_all();
  changed_.wait(lock, [this] { return function_ == nullptr; });
  if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
}

void TurnThread::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return function_ != nullptr || is_ending_; });
    if (function_ == nullptr) return;
    try {
      (*function_)();
    } catch (...) {
      problem_ = std::current_exception();
    }
    function_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace tenure::pool_report
