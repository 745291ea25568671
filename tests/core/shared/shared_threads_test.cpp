// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>

#include "core/shared/shared_values.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/version_error.hpp"
#include "tenure/shared/saved_tensor.hpp"

using namespace tenure;
using tenure_test::share;
using tenure_test::values_of;

namespace {

template <class Work>
void run_on_threads(Work work) {
  std::array<std::thread, 4> threads;
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    threads[thread] = std::thread(work, static_cast<int>(thread));
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE(
    "SharedTensor: of threads with aliases of one storage a writer is alone, and each write counts once") {
  const SharedTensor tensor = share({2}, {0, 0});
  std::atomic<std::uint64_t> writes = 0;
  std::atomic<int> conflicts = 0;
  std::atomic<bool> broken = false;
  run_on_threads([&](int thread) {
    SharedTensor alias = thread % 2 == 0 ? tensor : tensor.flip(0);
    for (int round = 0; round < 5000; ++round) {
      try {
        if ((round + thread) % 3 == 0) {
          auto guard = alias.write();
          {
            const auto view = guard.view().as_typed<double>();
            view.at(0) += 1;
            view.at(1) += 1;
          }
          guard.publish();
          ++writes;
        } else {
          const auto guard = alias.read();
          const auto view = guard.view().as_typed<double>();
          if (view.at(0) != view.at(1)) broken = true;
        }
      } catch (const AccessError&) {
        ++conflicts;
      }
    }
  });
  CHECK_FALSE(broken);
  CHECK(tensor.version() == writes);
  CHECK(values_of(tensor) == std::vector<double>(2, static_cast<double>(writes)));
}

TEST_CASE("SharedTensor: handles and views are copied and dropped on any thread") {
  SharedTensor tensor = share({8}, {0, 1, 2, 3, 4, 5, 6, 7});
  std::atomic<bool> broken = false;
  run_on_threads([&](int) {
    for (int round = 0; round < 5000; ++round) {
      const SharedTensor alias = tensor;
      const SharedTensor part = alias.select(0, round % 8);
      if (part.read().view().as_typed<double>().at() != round % 8) broken = true;
    }
  });
  CHECK_FALSE(broken);
  tensor.write().publish();
  CHECK(tensor.version() == 1);
}

TEST_CASE("SharedTensor: the last handle may be dropped on another thread than the one that wrote") {
  for (int round = 0; round < 200; ++round) {
    SharedTensor tensor = share({1}, {0});
    std::thread other([alias = tensor]() mutable { const SharedTensor last = std::move(alias); });
    {
      auto guard = tensor.write();
      guard.view().as_typed<double>().at(0) = 1;
      guard.publish();
    }
    tensor = share({1}, {0});
    other.join();
  }
}

TEST_CASE("SavedTensor: what a reader sees under the guard is what was saved, however others write") {
  SharedTensor tensor = share({1}, {0});
  std::atomic<bool> broken = false;
  run_on_threads([&](int thread) {
    SharedTensor alias = tensor;
    for (int round = 0; round < 2000; ++round) {
      try {
        if (thread == 0) {
          auto guard = alias.write();
          guard.view().as_typed<double>().at(0) += 1;
          guard.publish();
        } else {
          const SavedTensor saved(alias);
          const auto guard = saved.read();
          // One write is one version and adds one.
          if (guard.view().as_typed<double>().at(0) != static_cast<double>(saved.version())) broken = true;
        }
      } catch (const AccessError&) {
      } catch (const VersionError&) {
      }
    }
  });
  CHECK_FALSE(broken);
}
