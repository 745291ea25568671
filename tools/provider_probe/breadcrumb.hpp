// SPDX-License-Identifier: Apache-2.0
// breadcrumb: a page shared by parent and child that says which call the child is in.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "file_descriptor.hpp"
#include "tenure/abi/call_slot.hpp"

namespace tenure::probe {

// The call that one thread of the child made last.
struct CallTrace {
  std::uint32_t thread = 0;  // 0: the main thread; others in the order of their first call
  abi::CallSlot slot = abi::CallSlot::none;
  std::uint64_t number = 0;  // counts the calls of all threads, from 1
  bool inside = false;       // the call has not returned
};

// A signal that ended the child.
struct CrashTrace {
  std::int32_t signal = 0;
  std::uint64_t address = 0;       // what the code touched; meaningful for SIGSEGV and SIGBUS
  std::uint64_t image_offset = 0;  // of the faulting instruction within the provider
  bool in_image = false;           // the faulting instruction is the provider's
  std::uint32_t thread = 0;
};

// What a breadcrumb says after the child has ended.
struct BreadcrumbReading {
  std::uint64_t call_count = 0;
  std::vector<CallTrace> threads;  // those that made a call
  std::optional<CrashTrace> crash;

  // The last call of the thread that crashed; otherwise of a thread that is inside a call, otherwise the
  // latest. Null when no call was made.
  const CallTrace* place() const noexcept;
};

// The parent makes it and gives its descriptor to the child, which attaches to it. Every write is one
// relaxed store of a lock-free atomic, so it survives any end of the child.
class Breadcrumb {
 public:
  // A fresh page. Throws ProbeFault.
  static Breadcrumb create();
  // The page behind an inherited descriptor, which is closed. Throws ProbeFault.
  static Breadcrumb attach(FileDescriptor descriptor);
  Breadcrumb(Breadcrumb&& other) noexcept;
  Breadcrumb& operator=(Breadcrumb&&) = delete;
  ~Breadcrumb();

  // For the child to inherit; of one that was created.
  int descriptor() const noexcept { return descriptor_.number(); }

  void entering(abi::CallSlot slot) noexcept;
  void left() noexcept;
  // Tells which addresses are the provider's code, for `record_crash`.
  void set_image(std::uint64_t begin, std::uint64_t end) noexcept;
  // Safe in a signal handler. Only the first call has an effect.
  void record_crash(std::int32_t signal, std::uint64_t address, std::uint64_t instruction) noexcept;

  BreadcrumbReading read() const;

 private:
  static constexpr std::size_t thread_count_max = 64;
  // Zero-filled memory is a valid page.
  struct Page {
    std::atomic<std::uint64_t> call_count;
    std::atomic<std::uint32_t> thread_count;
    std::atomic<std::int32_t> crash_signal;
    std::atomic<std::uint64_t> crash_address;
    std::atomic<std::uint64_t> crash_instruction;
    std::atomic<std::uint32_t> crash_thread;
    std::atomic<std::uint64_t> image_begin;
    std::atomic<std::uint64_t> image_end;
    // Call number, slot and the inside bit in one word, so that a reader never sees half of them.
    std::array<std::atomic<std::uint64_t>, thread_count_max> threads;
  };

  Breadcrumb(FileDescriptor descriptor, Page* page) noexcept;
  static Page* map(int descriptor);
  std::uint32_t this_thread() noexcept;

  FileDescriptor descriptor_;
  Page* page_;
};

}  // namespace tenure::probe
