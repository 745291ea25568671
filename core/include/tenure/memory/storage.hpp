// SPDX-License-Identifier: Apache-2.0
// storage: the sole owner of the bytes of one allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenure/layout/dtype.hpp"
#include "tenure/memory/data_ptr.hpp"

namespace tenure::inline TENURE_BUILD {

struct AllocationRecord;

// How one kind of source gives its bytes back. One constant table for each source, all of them in libtenure,
// so that the address of a table says what the source is.
struct StorageSource {
  void (*release)(void* payload, std::size_t bytes) noexcept;
  void (*relocate)(void* target, void* source) noexcept;  // null: the payload's bytes may be copied
};

namespace detail {
// The table of adopted vectors of T, for every element type but bool.
template <class T>
TENURE_API const StorageSource& vector_source() noexcept;
}  // namespace detail

// Bytes without a type: an adopted vector, which lives inside the storage, adopted memory with a deleter, the
// core's own host memory, or a provider's block. They are given back once, by the destructor. Not copyable; a
// moved-from storage owns nothing. Views refer to the bytes and the record, never to the storage.
class TENURE_API Storage {
 public:
  static constexpr std::size_t host_alignment_bytes = 64;

  // Owns nothing.
  Storage() noexcept = default;
  Storage(Storage&& other) noexcept { take(other); }
  Storage& operator=(Storage&& other) noexcept {
    if (this != &other) {
      // Whatever gives the old bytes back may assign here, too.
      const Storage ended = std::move(*this);
      take(other);
    }
    return *this;
  }
  ~Storage() {
    if (source_ != nullptr) source_->release(payload_, bytes_);
  }

  // The core's own host memory, aligned to host_alignment_bytes, with unspecified contents. Throws
  // OutOfMemory naming `operation`.
  static Storage on_host(std::string_view operation, std::size_t bytes);
  // The vector's elements stay where they are.
  template <class T>
  static Storage adopt(std::vector<T>&& vector) noexcept;
  // `bytes` are readable and writable at pointer.data().
  static Storage adopt(DataPtr&& pointer, std::size_t bytes) noexcept;

  // Where the host reaches the bytes without a map; null when it does not, and when there are no bytes.
  std::byte* address() const noexcept { return address_; }
  std::size_t bytes() const noexcept { return bytes_; }
  // What the address is a multiple of, or what the provider promises of every address: a power of two, 1
  // when there are no bytes.
  std::size_t alignment_bytes() const noexcept;
  // Identity, placement and maps of provider memory; null for plain host memory and for no bytes.
  AllocationRecord* record() const noexcept { return record_; }

  // The bytes came as a std::vector of some element type, or of this one.
  bool holds_vector() const noexcept;
  template <class T>
  bool holds_vector_of() const noexcept {
    return source_ == &detail::vector_source<T>();
  }
  // The vector that was adopted; this storage owns nothing afterwards. Only when holds_vector_of<T>().
  template <class T>
  std::vector<T> take_vector() noexcept;

  // The bytes leave the tensor world: a pooled block will be freed, not recycled, and a block does not keep
  // its instance from closing any more. Nothing for other sources.
  void extract() noexcept;
  // Gives the bytes back now.
  void reset() noexcept {
    if (source_ != nullptr) give_back();
  }

 private:
  friend struct BlockStorage;  // makes storages of provider blocks

  void take(Storage& other) noexcept;
  void give_back() noexcept;
  void forget() noexcept {
    source_ = nullptr;
    address_ = nullptr;
    bytes_ = 0;
    record_ = nullptr;
  }

  const StorageSource* source_ = nullptr;  // null: owns nothing
  std::byte* address_ = nullptr;
  std::size_t bytes_ = 0;
  AllocationRecord* record_ = nullptr;
  alignas(void*) std::byte payload_[3 * sizeof(void*)] = {};  // the source's: a vector, a block ...
};
static_assert(sizeof(Storage) <= 80);

inline void Storage::take(Storage& other) noexcept {
  source_ = std::exchange(other.source_, nullptr);
  address_ = std::exchange(other.address_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  record_ = std::exchange(other.record_, nullptr);
  if (source_ != nullptr && source_->relocate != nullptr) {
    source_->relocate(payload_, other.payload_);
  } else {
    std::memcpy(payload_, other.payload_, sizeof(payload_));
  }
}

template <class T>
Storage Storage::adopt(std::vector<T>&& vector) noexcept {
  static_assert(!std::is_same_v<T, bool>,
                "std::vector<bool> packs its elements into bits, so it has no bytes to adopt; use a "
                "std::vector<std::uint8_t>, or a boolean tensor from filled() or from_data_ptr().");
  static_assert(sizeof(std::vector<T>) <= sizeof(payload_) && alignof(std::vector<T>) <= alignof(void*));
  Storage storage;
  storage.bytes_ = vector.size() * sizeof(T);
  storage.address_ = vector.empty() ? nullptr : reinterpret_cast<std::byte*>(vector.data());
  ::new (static_cast<void*>(storage.payload_)) std::vector<T>(std::move(vector));
  storage.source_ = &detail::vector_source<T>();
  return storage;
}

template <class T>
std::vector<T> Storage::take_vector() noexcept {
  auto* const held = std::launder(reinterpret_cast<std::vector<T>*>(payload_));
  std::vector<T> vector = std::move(*held);
  std::destroy_at(held);
  forget();
  return vector;
}

}  // namespace tenure::inline TENURE_BUILD
