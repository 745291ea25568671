// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/storage.hpp"

#include "memory/block_storage.hpp"
#include "tenure/base/out_of_memory.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

template <class T>
std::vector<T>& vector_in(void* payload) noexcept {
  return *std::launder(static_cast<std::vector<T>*>(payload));
}

template <class T>
constexpr StorageSource vector_table{
    [](void* payload, std::size_t) noexcept { std::destroy_at(&vector_in<T>(payload)); },
    [](void* target, void* source) noexcept {
      ::new (target) std::vector<T>(std::move(vector_in<T>(source)));
      std::destroy_at(&vector_in<T>(source));
    }};

void release_adopted(void* payload, std::size_t) noexcept {
  const auto& parts = *static_cast<DataPtr::Parts*>(payload);
  if (parts.deleter != nullptr) parts.deleter(parts.context);
}

constexpr StorageSource adopted_table{release_adopted, nullptr};

void release_host(void* payload, std::size_t) noexcept {
  void* const address = *static_cast<void**>(payload);
  ::operator delete (address, std::align_val_t{Storage::host_alignment_bytes});
}

constexpr StorageSource host_table{release_host, nullptr};

}  // namespace

namespace detail {

template <class T>
const StorageSource& vector_source() noexcept {
  return vector_table<T>;
}

#define TENURE_VECTOR_SOURCE(T) template TENURE_API const StorageSource& vector_source<T>() noexcept;
TENURE_VECTOR_SOURCE(signed char)
TENURE_VECTOR_SOURCE(unsigned char)
TENURE_VECTOR_SOURCE(short)
TENURE_VECTOR_SOURCE(unsigned short)
TENURE_VECTOR_SOURCE(int)
TENURE_VECTOR_SOURCE(unsigned)
TENURE_VECTOR_SOURCE(long)
TENURE_VECTOR_SOURCE(unsigned long)
TENURE_VECTOR_SOURCE(long long)
TENURE_VECTOR_SOURCE(unsigned long long)
TENURE_VECTOR_SOURCE(float16)
TENURE_VECTOR_SOURCE(bfloat16)
TENURE_VECTOR_SOURCE(float)
TENURE_VECTOR_SOURCE(double)
TENURE_VECTOR_SOURCE(std::complex<float>)
TENURE_VECTOR_SOURCE(std::complex<double>)
#undef TENURE_VECTOR_SOURCE

}  // namespace detail

Storage Storage::on_host(std::string_view operation, std::size_t bytes) {
  Storage storage;
  if (bytes == 0) return storage;
  // The system's allocator rounds the size up and does not see that this may overflow.
  void* const address = bytes > static_cast<std::size_t>(PTRDIFF_MAX)
                            ? nullptr
                            : ::operator new (bytes, std::align_val_t{host_alignment_bytes}, std::nothrow);
  if (address == nullptr) throw OutOfMemory(std::string(operation), bytes, "host");
  ::new (static_cast<void*>(storage.payload_)) void*(address);
  storage.source_ = &host_table;
  storage.address_ = static_cast<std::byte*>(address);
  storage.bytes_ = bytes;
  return storage;
}

Storage Storage::adopt(DataPtr&& pointer, std::size_t bytes) noexcept {
  Storage storage;
  const auto parts = pointer.release();
  ::new (static_cast<void*>(storage.payload_)) DataPtr::Parts(parts);
  storage.source_ = &adopted_table;
  storage.address_ = bytes == 0 ? nullptr : static_cast<std::byte*>(parts.data);
  storage.bytes_ = bytes;
  return storage;
}

std::size_t Storage::alignment_bytes() const noexcept { return alignment_at(address_, record_); }

bool Storage::holds_vector() const noexcept {
  // Only a vector must be moved by its own constructor.
  return source_ != nullptr && source_->relocate != nullptr;
}

void Storage::extract() noexcept { BlockStorage::extract(*this); }

void Storage::give_back() noexcept {
  const StorageSource* source = std::exchange(source_, nullptr);
  source->release(payload_, bytes_);
  address_ = nullptr;
  bytes_ = 0;
  record_ = nullptr;
}

}  // namespace tenure::inline TENURE_BUILD
