// SPDX-License-Identifier: Apache-2.0
// test_host: what the core lends to a provider, for tests that talk to a provider without the core.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_abi.h"

namespace tenure_test {

// Keeps what the provider says. The instances that were opened with it must end first.
class TestHost {
 public:
  TestHost() {
    table_.abi_major = TENURE_ABI_MAJOR;
    table_.abi_minor = TENURE_ABI_MINOR;
    table_.context = reinterpret_cast<tenure_host_context*>(this);
    table_.log = &log;
    table_.allocate = &allocate;
    table_.free = &free;
    table_.is_exiting = &is_exiting;
    table_.thread_index = &thread_index;
    table_.note_copy = &note_copy;
    table_.get_extension = &get_extension;
  }
  TestHost(const TestHost&) = delete;
  TestHost& operator=(const TestHost&) = delete;

  const tenure_host* table() const noexcept { return &table_; }

  // The lines logged so far, each after its level and a space: "0 something is wrong".
  std::vector<std::string> log_lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  // Bytes that the provider says it copied beyond what it was asked for.
  std::uint64_t noted_bytes() const noexcept { return noted_bytes_.load(); }

  // The calling thread's number, never given to another thread of this process.
  static std::uint32_t this_thread_index() noexcept {
    static std::atomic<std::uint32_t> next{0};
    thread_local const std::uint32_t index = next.fetch_add(1);
    return index;
  }

 private:
  static TestHost& of(tenure_host_context* context) noexcept { return *reinterpret_cast<TestHost*>(context); }

  static void log(tenure_host_context* context, std::int32_t level, tenure_string line) noexcept {
    TestHost& host = of(context);
    const std::lock_guard lock(host.mutex_);
    host.lines_.push_back(std::to_string(level) + " " + std::string(line.data, line.bytes));
  }
  static void* allocate(tenure_host_context*, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    void* address = nullptr;
    return posix_memalign(&address, alignment_bytes, bytes) == 0 ? address : nullptr;
  }
  static void free(tenure_host_context*, void* address) noexcept { std::free(address); }
  static std::int32_t is_exiting(tenure_host_context*) noexcept { return 0; }
  static std::uint32_t thread_index(tenure_host_context*) noexcept { return this_thread_index(); }
  static void note_copy(tenure_host_context* context, std::uint64_t bytes) noexcept {
    of(context).noted_bytes_.fetch_add(bytes);
  }
  static const void* get_extension(tenure_host_context*, const char*) noexcept { return nullptr; }

  tenure_host table_ = tenure::abi::make_struct<tenure_host>();
  std::mutex mutex_;
  std::vector<std::string> lines_;
  std::atomic<std::uint64_t> noted_bytes_{0};
};

}  // namespace tenure_test
