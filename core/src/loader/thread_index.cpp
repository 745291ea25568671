// SPDX-License-Identifier: Apache-2.0
#include "loader/thread_index.hpp"

#include <pthread.h>

#include <functional>
#include <mutex>
#include <queue>
#include <vector>

#include "loader/instance_control.hpp"

namespace tenure::inline TENURE_BUILD {

constinit thread_local std::uint32_t known_thread_index = no_thread_index;

namespace {

class Indices {
 public:
  Indices() { have_key_ = ::pthread_key_create(&key_, &thread_ends) == 0; }

  std::uint32_t take() {
    std::uint32_t index = 0;
    {
      const std::lock_guard lock(mutex_);
      if (free_.empty()) {
        index = next_++;
      } else {
        index = free_.top();
        free_.pop();
      }
    }
    // A key's value must not be null to have its destructor called, and a destructor that runs after ours
    // may ask for an index again: then this one is called again, too.
    if (have_key_) ::pthread_setspecific(key_, this);
    return index;
  }

 private:
  // A key of POSIX and not a thread_local object: it runs after those, and not on the main thread at exit.
  static void thread_ends(void* self) {
    const std::uint32_t index = known_thread_index;
    InstanceControl::thread_ended(index);
    known_thread_index = no_thread_index;
    static_cast<Indices*>(self)->give_back(index);
  }

  void give_back(std::uint32_t index) {
    const std::lock_guard lock(mutex_);
    free_.push(index);
  }

  pthread_key_t key_{};
  bool have_key_ = false;
  std::mutex mutex_;
  std::uint32_t next_ = 0;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_;
};

}  // namespace

std::uint32_t take_thread_index() noexcept {
  // Never destroyed: threads may outlive the program's main function.
  static Indices& indices = *new Indices;
  known_thread_index = indices.take();
  return known_thread_index;
}

}  // namespace tenure::inline TENURE_BUILD
