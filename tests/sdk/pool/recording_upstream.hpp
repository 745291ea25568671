// SPDX-License-Identifier: Apache-2.0
// recording_upstream: host memory for pool tests that remembers what is out and refuses when told to.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>

#include "tenure/sdk/pool/host_upstream.hpp"
#include "tenure/sdk/pool/pool.hpp"

namespace tenure::test {

// Shared by an upstream and its test; outlives both pool and blocks.
class UpstreamRecord {
 public:
  // Calls of acquire are counted from 1. Those from `first` to before `end` are refused.
  void refuse(std::uint64_t first, std::uint64_t end = std::numeric_limits<std::uint64_t>::max()) {
    refused_first_ = first;
    refused_end_ = end;
  }
  void refuse_from_now_on() { refuse(calls_ + 1); }
  void refuse_nothing() { refuse(0, 0); }
  void throw_from_now_on() { throws_ = true; }
  // Refuses what would bring the bytes that are out above this.
  void limit(std::uint64_t bytes) { limit_bytes_ = bytes; }

  std::uint64_t calls() const { return locked(calls_); }
  std::uint64_t releases() const { return locked(releases_); }
  std::uint64_t count() const { return locked(count_); }
  std::uint64_t bytes() const { return locked(bytes_); }

  void* acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) {
    const std::lock_guard lock(mutex_);
    ++calls_;
    if (throws_) throw std::runtime_error("the device is lost");
    if (calls_ >= refused_first_ && calls_ < refused_end_) return nullptr;
    if (bytes > limit_bytes_ - bytes_) return nullptr;
    void* address = system_.acquire(bytes, alignment_bytes);
    if (address == nullptr) return nullptr;
    out_[address] = {bytes, alignment_bytes};
    ++count_;
    bytes_ += bytes;
    return address;
  }

  void release(void* address, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = out_.find(address);
    REQUIRE(found != out_.end());
    REQUIRE(found->second.bytes == bytes);
    REQUIRE(found->second.alignment_bytes == alignment_bytes);
    out_.erase(found);
    ++releases_;
    --count_;
    bytes_ -= bytes;
    system_.release(address, bytes, alignment_bytes);
  }

 private:
  struct Out {
    std::uint64_t bytes;
    std::uint64_t alignment_bytes;
  };

  std::uint64_t locked(const std::uint64_t& number) const {
    const std::lock_guard lock(mutex_);
    return number;
  }

  mutable std::mutex mutex_;
  sdk::pool::HostUpstream system_;
  std::map<void*, Out> out_;
  std::uint64_t calls_ = 0;
  std::uint64_t releases_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t refused_first_ = 0;
  std::uint64_t refused_end_ = 0;
  std::uint64_t limit_bytes_ = std::numeric_limits<std::uint64_t>::max();
  bool throws_ = false;
};

struct RecordingUpstream {
  static constexpr bool is_host_memory = true;
  void* acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) {
    return record->acquire(bytes, alignment_bytes);
  }
  void release(void* address, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    record->release(address, bytes, alignment_bytes);
  }
  UpstreamRecord* record;
};

// Lets one thread play several: the index is whatever the test last wrote there.
struct PlayedThreadIndex {
  std::uint32_t operator()() const noexcept { return *index; }
  const std::uint32_t* index;
};

using TestPool = sdk::pool::Pool<RecordingUpstream, PlayedThreadIndex>;

// A pool with all that a test on one thread needs. Mode count, also under AddressSanitizer.
struct PoolFixture {
  explicit PoolFixture(sdk::pool::PoolOptions options = {.mode = sdk::pool::Mode::count})
      : pool(RecordingUpstream{&record}, PlayedThreadIndex{&thread_index}, options) {}

  UpstreamRecord record;
  std::uint32_t thread_index = 0;
  TestPool pool;
};

}  // namespace tenure::test
