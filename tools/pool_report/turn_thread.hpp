// SPDX-License-Identifier: Apache-2.0
// turn_thread: a thread that works only while somebody waits for it.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tenure::pool_report {

// Several of them together do one thing after the other, each on its own thread. Used by one thread.
class TurnThread {
 public:
  TurnThread();
  TurnThread(const TurnThread&) = delete;
  TurnThread& operator=(const TurnThread&) = delete;
  // Returns when the thread has ended.
  ~TurnThread();

  // Calls it on the thread and returns when it has; passes on what it throws.
  void run(const std::function<void()>& function);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* function_ = nullptr;  // null: it is the other side's turn
  std::exception_ptr problem_;
  bool is_ending_ = false;
  std::thread thread_;  // last: it starts with everything else in place
};

}  // namespace tenure::pool_report
