// SPDX-License-Identifier: Apache-2.0
// transfer: copy and fill of an instance, by the provider where it has them, otherwise through map.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tenure/provider_abi.h"
#include "tenure/sdk/argument.hpp"
#include "tenure/sdk/box.hpp"
#include "tenure/sdk/error.hpp"
#include "tenure/sdk/instance.hpp"
#include "tenure/sdk/strided_copy.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// A storage mapped for as long as this lives.
template <class P>
class MappedStorage {
 public:
  MappedStorage(Instance<P>& instance, tenure_storage* storage, std::uint32_t access)
      : instance_(instance),
        storage_(storage),
        access_(access),
        address_(static_cast<std::byte*>(instance.map(storage, access))) {}
  ~MappedStorage() { instance_.unmap(storage_, access_); }
  MappedStorage(const MappedStorage&) = delete;
  MappedStorage& operator=(const MappedStorage&) = delete;

  std::byte* address() const noexcept { return address_; }

 private:
  Instance<P>& instance_;
  tenure_storage* storage_;
  std::uint32_t access_;
  std::byte* address_;
};

// One end of a copy, with strides spelled out.
struct CopyEnd {
  std::array<std::int64_t, TENURE_RANK_MAX> compact_strides;
  Box box;
  ByteRange range;  // relative to index (0, 0, ...)

  // INVALID_ARGUMENT for a place that does not fit in the address range.
  CopyEnd(const tenure_copy_desc& desc, const tenure_place& place, const char* name) {
    box = {desc.extents, place.strides, desc.rank, desc.element_bytes};
    bool fits = true;
    if (place.strides == nullptr) {
      fits = make_compact_strides(desc.extents, desc.rank, compact_strides.data());
      box.strides = compact_strides.data();
    }
    if (!fits || !find_byte_range(box, range)) {
      throw Error(TENURE_INVALID_ARGUMENT, std::string("copy: the ") + name + " reaches beyond any memory");
    }
  }
  CopyEnd(const CopyEnd&) = delete;
  CopyEnd& operator=(const CopyEnd&) = delete;
};

inline void require_box(const tenure_copy_desc& desc) {
  if (desc.element_bytes == 0 || desc.rank > TENURE_RANK_MAX || (desc.rank != 0 && desc.extents == nullptr)) {
    throw Error(TENURE_INVALID_ARGUMENT,
                "copy: expected elements of at least a byte and a rank of at most 64, found " +
                    std::to_string(desc.element_bytes) + " bytes and rank " + std::to_string(desc.rank));
  }
  for (std::uint32_t axis = 0; axis < desc.rank; ++axis) {
    if (desc.extents[axis] < 0) throw Error(TENURE_INVALID_ARGUMENT, "copy: an extent is negative");
  }
}

// OUT_OF_RANGE unless [offset + first, offset + end) lies within a storage of `bytes`.
inline void require_within(const char* what, std::uint64_t bytes, std::uint64_t offset_bytes,
                           const ByteRange& range) {
  std::int64_t end = 0;
  if (offset_bytes > INT64_MAX ||
      !abi::checked_add(static_cast<std::int64_t>(offset_bytes), range.end, end) ||
      static_cast<std::uint64_t>(end) > bytes || static_cast<std::int64_t>(offset_bytes) + range.first < 0) {
    throw Error(TENURE_OUT_OF_RANGE,
                std::string(what) + " reaches beyond the " + std::to_string(bytes) + " bytes of its storage");
  }
}

// Where the host finds the memory that one end of a copy lies in. Plain host memory has no known size.
struct CopyMemory {
  void* address = nullptr;
  std::optional<std::uint64_t> bytes;
};

// Copies between two ends that the host reaches. OUT_OF_RANGE for an end that reaches beyond its memory,
// INVALID_ARGUMENT for ends that overlap.
inline void copy_between(const tenure_copy_desc& desc, const CopyMemory& source_memory,
                         const CopyMemory& target_memory) {
  const CopyEnd source(desc, desc.source, "source");
  const CopyEnd target(desc, desc.target, "target");
  if (source_memory.bytes) {
    require_within("copy: the source", *source_memory.bytes, desc.source.offset_bytes, source.range);
  }
  if (target_memory.bytes) {
    require_within("copy: the target", *target_memory.bytes, desc.target.offset_bytes, target.range);
  }
  require_pointer(source_memory.address, "copy: the source address");
  require_pointer(target_memory.address, "copy: the target address");
  std::byte* const source_address = static_cast<std::byte*>(source_memory.address) + desc.source.offset_bytes;
  std::byte* const target_address = static_cast<std::byte*>(target_memory.address) + desc.target.offset_bytes;

  const auto distance = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(target_address) -
                                                  reinterpret_cast<std::uintptr_t>(source_address));
  if (!proven_disjoint(source.box, target.box, distance)) {
    throw Error(TENURE_INVALID_ARGUMENT, "copy: source and target overlap");
  }
  copy_box({.target = target_address,
            .source = source_address,
            .extents = desc.extents,
            .target_strides = target.box.strides,
            .source_strides = source.box.strides,
            .rank = desc.rank,
            .element_bytes = desc.element_bytes});
}

// The access to map a storage with in order to write a part of it: the rest must keep its bytes also where
// a provider loads a map only for reading.
template <class P>
std::uint32_t partial_write_access(const Instance<P>& instance, tenure_storage* storage) {
  const Domain& domain = instance.domain(instance.facts(storage).domain);
  return TENURE_ACCESS_HOST_WRITE | (domain.access & TENURE_ACCESS_HOST_READ);
}

// The copy of a provider that has none: both ends mapped, then one loop. Complete on return.
template <class P>
void copy_through_map(Instance<P>& instance, const tenure_copy_desc& desc) {
  CopyMemory source{desc.source.address, {}};
  CopyMemory target{desc.target.address, {}};
  // A storage that is both ends is mapped once.
  std::optional<MappedStorage<P>> source_map, target_map;
  const bool is_both = desc.source.storage != nullptr && desc.source.storage == desc.target.storage;
  if (desc.source.storage != nullptr) {
    source_map.emplace(instance, desc.source.storage, is_both ? mapped_host_access : TENURE_ACCESS_HOST_READ);
    source = {source_map->address(), instance.facts(desc.source.storage).bytes};
  }
  if (is_both) {
    target = source;
  } else if (desc.target.storage != nullptr) {
    target_map.emplace(instance, desc.target.storage, partial_write_access(instance, desc.target.storage));
    target = {target_map->address(), instance.facts(desc.target.storage).bytes};
  }
  copy_between(desc, source, target);
}

template <class P>
void fill_through_map(Instance<P>& instance, const tenure_fill_desc& desc) {
  const std::uint64_t bytes = instance.facts(desc.storage).bytes;
  require_within("fill: the range", bytes, desc.offset_bytes,
                 {0, static_cast<std::int64_t>(std::min<std::uint64_t>(desc.bytes, INT64_MAX))});
  const MappedStorage<P> map(instance, desc.storage, partial_write_access(instance, desc.storage));
  fill_bytes(map.address() + desc.offset_bytes, desc.bytes, desc.pattern, desc.pattern_bytes);
}

// Copies a box. A provider's own copy sees only boxes with elements.
template <class P>
void copy(Instance<P>& instance, const tenure_copy_desc& desc, tenure_stream* stream) {
  require_box(desc);
  if (is_empty({.extents = desc.extents, .rank = desc.rank})) return;
  if constexpr (CopiesMemory<P>) {
    instance.provider().copy(desc, stream);
  } else {
    copy_through_map(instance, desc);
  }
}

// Fills a range. A provider's own fill sees only ranges with bytes.
template <class P>
void fill(Instance<P>& instance, const tenure_fill_desc& desc, tenure_stream* stream) {
  if (desc.pattern_bytes > 16 || !abi::is_power_of_two(desc.pattern_bytes) ||
      desc.bytes % desc.pattern_bytes != 0) {
    throw Error(TENURE_INVALID_ARGUMENT,
                "fill: expected a pattern of 1, 2, 4, 8 or 16 bytes and a multiple of it, found " +
                    std::to_string(desc.pattern_bytes) + " and " + std::to_string(desc.bytes));
  }
  if (desc.bytes == 0) return;
  if constexpr (FillsMemory<P>) {
    instance.provider().fill(desc, stream);
  } else {
    fill_through_map(instance, desc);
  }
}

// Whether `copy` works between two domains, either of which may be TENURE_DOMAIN_HOST.
template <class P>
bool can_copy(Instance<P>& instance, std::uint64_t source, std::uint64_t target) noexcept {
  const auto is_place = [&](std::uint64_t index) {
    return index == TENURE_DOMAIN_HOST || index < instance.domains().size();
  };
  if (!is_place(source) || !is_place(target)) return false;
  if constexpr (DecidesCopies<P>) {
    return instance.provider().can_copy(source, target);
  } else {
    const auto access_of = [&](std::uint64_t index) {
      return index == TENURE_DOMAIN_HOST ? mapped_host_access : instance.domains()[index].access;
    };
    return (access_of(source) & TENURE_ACCESS_HOST_READ) != 0 &&
           (access_of(target) & TENURE_ACCESS_HOST_WRITE) != 0;
  }
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
