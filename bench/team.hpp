// SPDX-License-Identifier: Apache-2.0
// team: threads that run one function together, for loops that are measured beside an engine.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace tenure::bench {

// The calling thread is member 0. Waiting members spin for a moment and then sleep.
class Team {
 public:
  explicit Team(unsigned size) {
    for (unsigned member = 1; member < size; ++member) {
      threads_.emplace_back([this, member] { serve(member); });
    }
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    function_ = nullptr;
    start();
    for (std::thread& thread : threads_) thread.join();
  }

  unsigned size() const noexcept { return static_cast<unsigned>(threads_.size()) + 1; }

  // Calls function(member) once for each member and returns when all have returned.
  void run(const std::function<void(unsigned member)>& function) {
    if (threads_.empty()) return function(0);
    function_ = &function;
    running_.store(static_cast<unsigned>(threads_.size()), std::memory_order_relaxed);
    start();
    function(0);
    while (running_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
  }

 private:
  void start() {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  void serve(unsigned member) {
    for (std::uint64_t seen = 0;;) {
      for (int spins = 0; spins < 2000 && round_.load(std::memory_order_acquire) == seen; ++spins) {
      }
      round_.wait(seen, std::memory_order_acquire);
      seen = round_.load(std::memory_order_acquire);
      if (function_ == nullptr) return;
      (*function_)(member);
      running_.fetch_sub(1, std::memory_order_release);
    }
  }

  const std::function<void(unsigned)>* function_ = nullptr;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<unsigned> running_{0};
  std::vector<std::thread> threads_;
};

}  // namespace tenure::bench
