// SPDX-License-Identifier: Apache-2.0
#include "tenure/abi/struct_copy.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "tenure/abi/struct_head.hpp"

namespace {

constexpr std::byte canary{0xA5};

// A struct in a buffer that is longer on both sides' behalf, everything but the head filled with canaries.
template <class T>
struct Buffer {
  alignas(T) std::array<std::byte, sizeof(T) + 64> bytes;

  explicit Buffer(std::uint32_t head_bytes) {
    bytes.fill(canary);
    get()->head = tenure::abi::head_of<T>();
    get()->head.bytes = head_bytes;
  }
  T* get() { return reinterpret_cast<T*>(bytes.data()); }
  bool is_untouched_from(std::size_t first) const {
    for (std::size_t i = first; i < bytes.size(); ++i) {
      if (bytes[i] != canary) return false;
    }
    return true;
  }
};

tenure_domain_info full_info() {
  auto info = tenure::abi::make_struct<tenure_domain_info>();
  info.name = {"name", 4};
  info.memory = 3;
  info.alignment_bytes_min = 64;
  info.quota_bytes = 7;
  return info;
}

}  // namespace

TEST_CASE("make_struct: the head says what follows and the rest is zero") {
  constexpr auto desc = tenure::abi::make_struct<tenure_storage_desc>();

  CHECK(desc.head.bytes == sizeof(tenure_storage_desc));
  CHECK(desc.head.kind == TENURE_KIND_STORAGE_DESC);
  CHECK(desc.head.zero == 0);
  CHECK(desc.head.ext == nullptr);
  CHECK(desc.bytes == 0);
}

TEST_CASE("write_struct: nothing is written past any length that a caller may know") {
  for (std::uint32_t bytes = sizeof(tenure_head); bytes <= sizeof(tenure_domain_info); ++bytes) {
    CAPTURE(bytes);
    Buffer<tenure_domain_info> out(bytes);
    tenure::abi::write_struct(out.get(), full_info());

    CHECK(out.is_untouched_from(bytes));
    CHECK(out.get()->head.bytes == bytes);
    const auto expected = full_info();
    CHECK(std::memcmp(out.bytes.data() + sizeof(tenure_head),
                      reinterpret_cast<const std::byte*>(&expected) + sizeof(tenure_head),
                      bytes - sizeof(tenure_head)) == 0);
  }
}

TEST_CASE("write_struct: what a longer caller knows beyond ours stays as it was") {
  Buffer<tenure_domain_info> out(sizeof(tenure_domain_info) + 64);
  tenure::abi::write_struct(out.get(), full_info());

  CHECK(out.is_untouched_from(sizeof(tenure_domain_info)));
  CHECK(out.get()->head.bytes == sizeof(tenure_domain_info) + 64);
  CHECK(out.get()->quota_bytes == 7);
}

TEST_CASE("read_struct: members beyond a shorter writer's length are zero") {
  for (std::uint32_t bytes = sizeof(tenure_head); bytes <= sizeof(tenure_storage_desc); ++bytes) {
    CAPTURE(bytes);
    Buffer<tenure_storage_desc> in(bytes);
    const tenure_storage_desc read = tenure::abi::read_struct(in.get());

    const auto* first = reinterpret_cast<const std::byte*>(&read);
    for (std::size_t i = sizeof(tenure_head); i < sizeof read; ++i) {
      CHECK(first[i] == (i < bytes ? canary : std::byte{0}));
    }
  }
}

TEST_CASE("read_struct: a longer writer is read up to what we know and null reads as zero") {
  Buffer<tenure_storage_desc> in(sizeof(tenure_storage_desc) + 64);
  in.get()->alignment_bytes = 4096;

  CHECK(tenure::abi::read_struct(in.get()).alignment_bytes == 4096);
  CHECK(tenure::abi::read_struct<tenure_storage_desc>(nullptr).bytes == 0);
}

TEST_CASE("read_struct: into a room only what a shorter writer wrote, otherwise in place") {
  auto info = full_info();
  auto room = full_info();
  CHECK(&tenure::abi::read_struct(info, room) == &info);
  info.head.bytes = offsetof(tenure_domain_info, alignment_bytes_min);
  const tenure_domain_info& read = tenure::abi::read_struct(info, room);
  REQUIRE(&read == &room);
  CHECK(read.memory == 3);
  CHECK(read.alignment_bytes_min == 0);
  CHECK(read.quota_bytes == 0);
}
