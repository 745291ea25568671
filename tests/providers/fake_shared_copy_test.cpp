// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "providers/fake_shared.hpp"

using namespace tenure_test;

namespace {

using Bytes = std::vector<unsigned char>;

std::vector<std::uint64_t> all_places(const OpenInstance& instance) {
  std::vector<std::uint64_t> places{TENURE_DOMAIN_HOST};
  for (std::uint64_t domain = 0; domain < instance.api().domain_count(instance.handle()); ++domain) {
    places.push_back(domain);
  }
  return places;
}

// One end of a copy: a storage of a domain, or plain host memory.
class End {
 public:
  End(const OpenInstance& instance, std::uint64_t domain, std::uint64_t bytes) : instance_(instance) {
    if (domain == TENURE_DOMAIN_HOST) {
      host_.resize(bytes);
    } else {
      storage_ = instance.create(domain, bytes).storage;
    }
  }
  End(const End&) = delete;
  End& operator=(const End&) = delete;
  ~End() {
    if (storage_ != nullptr) instance_.release(storage_);
  }

  tenure_place place() { return storage_ != nullptr ? place_of(storage_) : place_of(host_.data()); }
  tenure_storage* storage() const noexcept { return storage_; }

  // Through host memory, which every domain can be copied from and to.
  void set(Bytes bytes) {
    CallStatus status;
    const auto count = static_cast<std::int64_t>(bytes.size());
    if (storage_ == nullptr) {
      host_ = std::move(bytes);
    } else {
      REQUIRE_OK(status, instance_.copy_bytes(place_of(bytes.data()), place(), count, status));
    }
  }
  Bytes get(std::size_t count) {
    if (storage_ == nullptr) return host_;
    Bytes bytes(count);
    CallStatus status;
    REQUIRE_OK(status, instance_.copy_bytes(place(), place_of(bytes.data()), static_cast<std::int64_t>(count),
                                            status));
    return bytes;
  }

 private:
  const OpenInstance& instance_;
  tenure_storage* storage_ = nullptr;
  Bytes host_;
};

Bytes counting(std::size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
  return bytes;
}

}  // namespace

TEST_CASE("fake_shared copy: the matrix says for every pair of places what copy then does") {
  const OpenInstance instance(fake_shared());
  int listed = 0;
  for (const std::uint64_t from : all_places(instance)) {
    for (const std::uint64_t to : all_places(instance)) {
      CAPTURE(from);
      CAPTURE(to);
      End source(instance, from, 100);
      End target(instance, to, 100);
      source.set(counting(100));
      CallStatus status;
      const std::int32_t code = instance.copy_bytes(source.place(), target.place(), 100, status);
      if (instance.api().can_copy(instance.handle(), from, to) == 1) {
        CHECK(code == TENURE_OK);
        CHECK(target.get(100) == counting(100));
        ++listed;
      } else {
        CHECK(code == TENURE_FAILED_PRECONDITION);
        CHECK(status.says("copy through host memory"));
      }
    }
  }
  CHECK(listed == 14);
}

TEST_CASE("fake_shared copy: only device memory and memory without device access are out of reach") {
  const OpenInstance instance(fake_shared());
  const auto can_copy = [&](std::uint64_t from, std::uint64_t to) {
    return instance.api().can_copy(instance.handle(), from, to) == 1;
  };
  const std::uint64_t far = instance.domain(device);
  const std::uint64_t mapped = instance.domain(noncoherent);
  CHECK_FALSE(can_copy(far, mapped));
  CHECK_FALSE(can_copy(mapped, far));
  CHECK(can_copy(far, far));
  CHECK(can_copy(far, TENURE_DOMAIN_HOST));
  CHECK(can_copy(far, instance.domain(managed)));
  CHECK_FALSE(can_copy(3, 0));
  CHECK_FALSE(can_copy(0, 3));
}

TEST_CASE("fake_shared copy: both ends may be strided, also backwards") {
  const OpenInstance instance(fake_shared());
  End source(instance, instance.domain(device), 6);
  End target(instance, instance.domain(managed), 6);
  source.set({1, 2, 3, 4, 5, 6});
  // Extents (2, 3): the source's axes swapped, the target's last axis reversed.
  const std::array<std::int64_t, 2> extents{2, 3}, source_strides{3, 1}, target_strides{1, -2};
  auto desc = tenure::abi::make_struct<tenure_copy_desc>();
  desc.source = source.place();
  desc.source.strides = source_strides.data();
  desc.target = target.place();
  desc.target.strides = target_strides.data();
  desc.target.offset_bytes = 4;
  desc.extents = extents.data();
  desc.rank = 2;
  desc.element_bytes = 1;
  CallStatus status;
  REQUIRE_OK(status, instance.api().copy(instance.handle(), &desc, nullptr, status.get()));
  CHECK(target.get(6) == Bytes{3, 6, 2, 5, 1, 4});
}

TEST_CASE("fake_shared copy: an end beyond its storage and overlapping ends are refused") {
  const OpenInstance instance(fake_shared());
  End both(instance, instance.domain(device), 64);
  both.set(counting(64));
  CallStatus status;
  auto later = both.place();
  later.offset_bytes = 32;
  CHECK_REFUSED(TENURE_OUT_OF_RANGE, "reaches beyond the 64 bytes", status,
                instance.copy_bytes(both.place(), later, 33, status));
  later.offset_bytes = 31;
  CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "overlap", status,
                instance.copy_bytes(both.place(), later, 32, status));
  CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "null", status,
                instance.copy_bytes(both.place(), tenure_place{}, 8, status));
  CHECK(both.get(64) == counting(64));

  later.offset_bytes = 32;
  REQUIRE_OK(status, instance.copy_bytes(both.place(), later, 32, status));
  Bytes twice = counting(32);
  const Bytes half = counting(32);
  twice.insert(twice.end(), half.begin(), half.end());
  CHECK(both.get(64) == twice);
}

TEST_CASE("fake_shared copy: a transfer is refused while a map excludes it") {
  const OpenInstance instance(fake_shared());
  End place(instance, instance.domain(noncoherent), 8);
  place.set(counting(8));
  Bytes host(8);
  CallStatus status;
  instance.map(place.storage(), host_read);
  CHECK(instance.copy_bytes(place.place(), place_of(host.data()), 8, status) == TENURE_OK);
  CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "1 read maps are alive", status,
                instance.copy_bytes(place_of(host.data()), place.place(), 8, status));
  instance.unmap(place.storage(), host_read);
  instance.map(place.storage(), host_write);
  CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "a write map is alive", status,
                instance.copy_bytes(place.place(), place_of(host.data()), 8, status));
  instance.unmap(place.storage(), host_write);
  CHECK(instance.copy_bytes(place_of(host.data()), place.place(), 8, status) == TENURE_OK);
}

TEST_CASE("fake_shared fill: a pattern is repeated in every domain and nowhere else") {
  const OpenInstance instance(fake_shared());
  for (std::uint64_t domain = 0; domain < 3; ++domain) {
    CAPTURE(domain);
    End target(instance, domain, 10);
    target.set(Bytes(10, 9));
    auto desc = tenure::abi::make_struct<tenure_fill_desc>();
    desc.storage = target.storage();
    desc.offset_bytes = 2;
    desc.bytes = 6;
    desc.pattern[0] = 1;
    desc.pattern[1] = 2;
    desc.pattern_bytes = 2;
    CallStatus status;
    REQUIRE_OK(status, instance.api().fill(instance.handle(), &desc, nullptr, status.get()));
    CHECK(target.get(10) == Bytes{9, 9, 1, 2, 1, 2, 1, 2, 9, 9});

    desc.offset_bytes = 6;
    CHECK_REFUSED(TENURE_OUT_OF_RANGE, "reaches beyond", status,
                  instance.api().fill(instance.handle(), &desc, nullptr, status.get()));
    desc.offset_bytes = UINT64_MAX;
    CHECK_REFUSED(TENURE_OUT_OF_RANGE, "reaches beyond", status,
                  instance.api().fill(instance.handle(), &desc, nullptr, status.get()));
    desc.storage = nullptr;
    CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "null", status,
                  instance.api().fill(instance.handle(), &desc, nullptr, status.get()));
  }
}

TEST_CASE("fake_shared fill: it is refused while the storage is mapped") {
  const OpenInstance instance(fake_shared());
  End target(instance, 1, 8);
  instance.map(target.storage(), host_read);
  auto desc = tenure::abi::make_struct<tenure_fill_desc>();
  desc.storage = target.storage();
  desc.bytes = 8;
  desc.pattern_bytes = 8;
  CallStatus status;
  CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "read maps are alive", status,
                instance.api().fill(instance.handle(), &desc, nullptr, status.get()));
  instance.unmap(target.storage(), host_read);
}
