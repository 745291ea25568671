// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <latch>
#include <thread>
#include <vector>

#include "providers/fake_shared.hpp"
#include "providers/test_pool.hpp"

using namespace tenure_test;

namespace {

constexpr int thread_count = 8;

// Runs `work(thread)` on all threads at once.
template <class Work>
void run_threads(const Work& work) {
  std::latch start(thread_count);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < thread_count; ++thread) {
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      work(thread);
    });
  }
}

bool is_unique(std::vector<std::vector<std::uint64_t>> parts) {
  std::vector<std::uint64_t> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

// Writes into the storage and reads it back, through maps of its own. True when it holds what was written.
bool keeps_value(const OpenInstance& instance, tenure_storage* storage, unsigned char value) {
  std::memset(instance.map(storage, host_write).address, value, 64);
  instance.unmap(storage, host_write);
  const auto* const bytes = static_cast<const unsigned char*>(instance.map(storage, host_read).address);
  const bool kept = std::all_of(bytes, bytes + 64, [&](unsigned char byte) { return byte == value; });
  instance.unmap(storage, host_read);
  return kept;
}

using Bytes = std::vector<unsigned char>;
constexpr std::int64_t large_bytes = 1 << 20;  // a copy takes long enough to be met

bool is_uniform(const unsigned char* bytes) { return std::memcmp(bytes, bytes + 1, large_bytes - 1) == 0; }

// Null when another map or a transfer excludes it.
unsigned char* try_map(const OpenInstance& instance, tenure_storage* storage, std::uint32_t access) {
  auto mapping = tenure::abi::make_struct<tenure_mapping>();
  CallStatus status;
  const std::int32_t code =
      instance.api().storage_map(instance.handle(), storage, access, &mapping, status.get());
  return code == TENURE_OK ? static_cast<unsigned char*>(mapping.address) : nullptr;
}

// Does nothing when a map excludes it.
void fill(const OpenInstance& instance, tenure_storage* storage, unsigned char value) {
  auto desc = tenure::abi::make_struct<tenure_fill_desc>();
  desc.storage = storage;
  desc.bytes = large_bytes;
  desc.pattern[0] = value;
  desc.pattern_bytes = 1;
  CallStatus status;
  instance.api().fill(instance.handle(), &desc, nullptr, status.get());
}

}  // namespace

TEST_CASE("fake_shared threads: create, map and release from eight threads") {
  const OpenInstance instance(fake_shared());
  std::vector<std::vector<std::uint64_t>> ids(thread_count);
  std::atomic<int> lost{0};
  run_threads([&](int thread) {
    for (int round = 0; round < 200; ++round) {
      const auto made = instance.create(static_cast<std::uint64_t>(round % 2), 64);
      ids[static_cast<std::size_t>(thread)].push_back(made.allocation_id);
      if (!keeps_value(instance, made.storage, static_cast<unsigned char>(thread))) ++lost;
      instance.release(made.storage);
    }
  });
  CHECK(lost == 0);
  CHECK(is_unique(ids));
  CHECK(instance.statistics(0).live_count == 0);
  CHECK(instance.statistics(0).reserved_bytes == 0);
  CHECK(instance.statistics(0).create_calls + instance.statistics(1).create_calls == thread_count * 200);
}

TEST_CASE("fake_shared threads: maps of one storage exclude each other and never wait") {
  const OpenInstance instance(fake_shared());
  for (const auto name : {managed, noncoherent}) {
    const auto made = instance.create(instance.domain(name), 64, 0, TENURE_STORAGE_ZERO);
    std::atomic<std::uint64_t> writes{0};
    run_threads([&](int) {
      for (int round = 0; round < 200; ++round) {
        auto* const mapped = try_map(instance, made.storage, host_read | host_write);
        if (mapped == nullptr) continue;
        // Under exclusion a plain increment loses no write.
        ++*reinterpret_cast<std::uint64_t*>(mapped);
        ++writes;
        instance.unmap(made.storage, host_read | host_write);
      }
    });
    const auto mapping = instance.map(made.storage, host_read);
    CHECK(*static_cast<const std::uint64_t*>(mapping.address) == writes);
    instance.unmap(made.storage, host_read);
    instance.release(made.storage);
  }
}

TEST_CASE("fake_shared threads: a copy out sees all that a write map wrote or nothing of it") {
  const OpenInstance instance(fake_shared());
  for (const auto name : {managed, noncoherent}) {
    const auto made = instance.create(instance.domain(name), large_bytes, 0, TENURE_STORAGE_ZERO);
    std::atomic<int> torn{0};
    run_threads([&](int thread) {
      Bytes bytes(large_bytes);
      for (int round = 0; round < 200; ++round) {
        if (thread % 2 == 0) {
          CallStatus status;
          const std::int32_t code =
              instance.copy_bytes(place_of(made.storage), place_of(bytes.data()), large_bytes, status);
          if (code == TENURE_OK && !is_uniform(bytes.data())) ++torn;
        } else if (auto* const mapped = try_map(instance, made.storage, host_read | host_write)) {
          if (!is_uniform(mapped)) ++torn;
          std::memset(mapped, thread * 16 + round % 16, large_bytes);
          instance.unmap(made.storage, host_read | host_write);
        }
      }
    });
    CHECK(torn.load() == 0);
    instance.release(made.storage);
  }
}

TEST_CASE("fake_shared threads: a read map sees all of a copy in or of a fill, or nothing of it") {
  const OpenInstance instance(fake_shared());
  for (const auto name : {managed, noncoherent}) {
    const auto made = instance.create(instance.domain(name), large_bytes, 0, TENURE_STORAGE_ZERO);
    std::atomic<int> torn{0};
    run_threads([&](int thread) {
      for (int round = 0; round < 200; ++round) {
        if (thread == 0) {
          CallStatus status;
          Bytes bytes(large_bytes, static_cast<unsigned char>(round));
          instance.copy_bytes(place_of(bytes.data()), place_of(made.storage), large_bytes, status);
          fill(instance, made.storage, static_cast<unsigned char>(round + 1));
        } else if (const auto* const mapped = try_map(instance, made.storage, host_read)) {
          if (!is_uniform(mapped)) ++torn;
          instance.unmap(made.storage, host_read);
        }
      }
    });
    CHECK(torn.load() == 0);
    instance.release(made.storage);
  }
}

TEST_CASE("fake_shared threads: one pool serves eight threads, and blocks are released by others") {
  const OpenInstance instance(fake_shared());
  const TestPool pool(instance, instance.domain(noncoherent));
  std::vector<std::vector<std::uint64_t>> ids(thread_count);
  std::vector<std::atomic<tenure_storage*>> handed(thread_count);
  std::atomic<int> lost{0};
  run_threads([&](int thread) {
    const auto own = static_cast<std::size_t>(thread);
    for (int round = 0; round < 200; ++round) {
      const auto made = pool.acquire(64);
      ids[own].push_back(made.allocation_id);
      if (!keeps_value(instance, made.storage, static_cast<unsigned char>(thread))) ++lost;
      tenure_storage* const other = handed[(own + 1) % thread_count].exchange(made.storage);
      if (other != nullptr) instance.release(other);
    }
    pool.api().thread_exit(instance.handle(), TestHost::this_thread_index());
  });
  for (auto& storage : handed) instance.release(storage.load());
  CHECK(lost == 0);
  CHECK(is_unique(ids));
  CHECK(instance.statistics(1).live_count == 0);
  CHECK(pool.statistics().live_count == 0);
  instance.api().trim(instance.handle(), 1, 0);
  CHECK(instance.statistics(1).reserved_bytes == 0);
}
