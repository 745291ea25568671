// SPDX-License-Identifier: Apache-2.0
#include "breadcrumb.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "probe_fault.hpp"

namespace tenure::probe {

namespace {

constexpr std::uint64_t inside_bit = 1;
constexpr unsigned slot_shift = 1;
constexpr unsigned number_shift = 17;
constexpr std::uint64_t slot_mask = 0xffff;

}  // namespace

const CallTrace* BreadcrumbReading::place() const noexcept {
  if (threads.empty()) return nullptr;
  if (crash) {
    const auto crashed = std::find_if(threads.begin(), threads.end(), [this](const CallTrace& trace) {
      return trace.thread == crash->thread;
    });
    if (crashed != threads.end()) return &*crashed;
  }
  return &*std::max_element(threads.begin(), threads.end(), [](const CallTrace& a, const CallTrace& b) {
    return std::pair(a.inside, a.number) < std::pair(b.inside, b.number);
  });
}

Breadcrumb::Breadcrumb(FileDescriptor descriptor, Page* page) noexcept
    : descriptor_(std::move(descriptor)), page_(page) {}

Breadcrumb::Breadcrumb(Breadcrumb&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), page_(std::exchange(other.page_, nullptr)) {}

Breadcrumb::~Breadcrumb() {
  if (page_ != nullptr) ::munmap(page_, sizeof(Page));
}

Breadcrumb::Page* Breadcrumb::map(int descriptor) {
  void* address = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) throw ProbeFault("the page that parent and child share cannot be mapped");
  return static_cast<Page*>(address);
}

Breadcrumb Breadcrumb::create() {
  FileDescriptor descriptor(::memfd_create("provider-probe breadcrumb", MFD_CLOEXEC));
  if (!descriptor.is_open() || ::ftruncate(descriptor.number(), sizeof(Page)) != 0) {
    throw ProbeFault("the page that parent and child share cannot be made");
  }
  Page* page = map(descriptor.number());
  return {std::move(descriptor), page};
}

Breadcrumb Breadcrumb::attach(FileDescriptor descriptor) {
  return {FileDescriptor(), map(descriptor.number())};
}

std::uint32_t Breadcrumb::this_thread() noexcept {
  // One breadcrumb is written in a child, so the number need not depend on the page.
  thread_local const std::uint32_t number = page_->thread_count.fetch_add(1, std::memory_order_relaxed);
  return number % thread_count_max;
}

void Breadcrumb::entering(abi::CallSlot slot) noexcept {
  const std::uint64_t number = page_->call_count.fetch_add(1, std::memory_order_relaxed) + 1;
  page_->threads[this_thread()].store(
      number << number_shift | static_cast<std::uint64_t>(slot) << slot_shift | inside_bit,
      std::memory_order_relaxed);
}

void Breadcrumb::left() noexcept {
  page_->threads[this_thread()].fetch_and(~inside_bit, std::memory_order_relaxed);
}

void Breadcrumb::set_image(std::uint64_t begin, std::uint64_t end) noexcept {
  page_->image_begin.store(begin, std::memory_order_relaxed);
  page_->image_end.store(end, std::memory_order_relaxed);
}

void Breadcrumb::record_crash(std::int32_t signal, std::uint64_t address,
                              std::uint64_t instruction) noexcept {
  std::int32_t none = 0;
  if (!page_->crash_signal.compare_exchange_strong(none, signal, std::memory_order_relaxed)) return;
  page_->crash_address.store(address, std::memory_order_relaxed);
  page_->crash_instruction.store(instruction, std::memory_order_relaxed);
  page_->crash_thread.store(this_thread(), std::memory_order_relaxed);
}

BreadcrumbReading Breadcrumb::read() const {
  BreadcrumbReading reading;
  reading.call_count = page_->call_count.load(std::memory_order_relaxed);
  for (std::uint32_t thread = 0; thread < thread_count_max; ++thread) {
    const std::uint64_t word = page_->threads[thread].load(std::memory_order_relaxed);
    if (word == 0) continue;
    reading.threads.push_back({.thread = thread,
                               .slot = static_cast<abi::CallSlot>(word >> slot_shift & slot_mask),
                               .number = word >> number_shift,
                               .inside = (word & inside_bit) != 0});
  }
  const std::int32_t signal = page_->crash_signal.load(std::memory_order_relaxed);
  if (signal != 0) {
    const std::uint64_t begin = page_->image_begin.load(std::memory_order_relaxed);
    const std::uint64_t end = page_->image_end.load(std::memory_order_relaxed);
    const std::uint64_t instruction = page_->crash_instruction.load(std::memory_order_relaxed);
    const bool in_image = begin <= instruction && instruction < end;
    reading.crash = CrashTrace{.signal = signal,
                               .address = page_->crash_address.load(std::memory_order_relaxed),
                               .image_offset = in_image ? instruction - begin : 0,
                               .in_image = in_image,
                               .thread = page_->crash_thread.load(std::memory_order_relaxed)};
  }
  return reading;
}

}  // namespace tenure::probe
