// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/transfer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "sdk/open_provider.hpp"
#include "sdk/shelf.hpp"

namespace sdk = tenure::sdk;
using tenure_test::OpenProvider;
using tenure_test::Shelf;

namespace {

// A copy of i32 elements whose arrays live in this object.
struct Copy {
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> source_strides;  // empty: compact
  std::vector<std::int64_t> target_strides;
  tenure_copy_desc desc = tenure::abi::make_struct<tenure_copy_desc>();

  explicit Copy(std::vector<std::int64_t> box) : extents(std::move(box)) { desc.element_bytes = 4; }

  std::int32_t run(OpenProvider<Shelf>& shelf) {
    desc.extents = extents.data();
    desc.rank = static_cast<std::uint32_t>(extents.size());
    desc.source.strides = source_strides.empty() ? nullptr : source_strides.data();
    desc.target.strides = target_strides.empty() ? nullptr : target_strides.data();
    return shelf->copy(shelf.instance, &desc, nullptr, &shelf.status);
  }
};

std::int32_t fill(OpenProvider<Shelf>& shelf, tenure_storage* storage, std::uint64_t offset_bytes,
                  std::uint64_t bytes, std::uint32_t pattern_bytes) {
  auto desc = tenure::abi::make_struct<tenure_fill_desc>();
  desc.storage = storage;
  desc.offset_bytes = offset_bytes;
  desc.bytes = bytes;
  desc.pattern_bytes = pattern_bytes;
  for (std::uint8_t i = 0; i < 16; ++i) desc.pattern[i] = static_cast<std::uint8_t>(i + 1);
  return shelf->fill(shelf.instance, &desc, nullptr, &shelf.status);
}

// A shelf with one domain, which the host may only write, and a copy of its own.
class Chute : public Shelf {
 public:
  using Shelf::Shelf;
  std::vector<sdk::Domain> domains() const {
    return {{.name = "chute:0/in", .memory = TENURE_MEMORY_SHARED, .access = TENURE_ACCESS_HOST_WRITE}};
  }
  void copy(const tenure_copy_desc& desc, tenure_stream*) {
    const auto address = [](const tenure_place& place) {
      return place.storage == nullptr ? place.address : sdk::storage_of<Chute>(place.storage).address;
    };
    sdk::copy_between(desc, {address(desc.source), {}}, {address(desc.target), {}});
    ++copies;
  }
  int copies = 0;
};

}  // namespace

TEST_CASE("can_copy: works between all that the host can read and write") {
  OpenProvider<Shelf> shelf;
  const std::vector<std::uint64_t> visible{Shelf::pageable, Shelf::managed, Shelf::mapped,
                                           TENURE_DOMAIN_HOST};
  for (const std::uint64_t source : visible) {
    for (const std::uint64_t target : visible) {
      CHECK(shelf->can_copy(shelf.instance, source, target) == 1);
    }
    CHECK(shelf->can_copy(shelf.instance, source, Shelf::device) == 0);
    CHECK(shelf->can_copy(shelf.instance, Shelf::device, source) == 0);
    CHECK(shelf->can_copy(shelf.instance, source, 4) == 0);
    CHECK(shelf->can_copy(shelf.instance, 4, source) == 0);
  }
}

TEST_CASE("copy: goes from host memory through two domains and back") {
  OpenProvider<Shelf> shelf;
  const std::array<std::int32_t, 6> source{1, 2, 3, 4, 5, 6};
  std::array<std::int32_t, 6> target{};
  const auto managed = shelf.made(32, Shelf::managed);
  const auto mapped = shelf.made(24, Shelf::mapped);

  Copy in({6});
  in.desc.source.address = const_cast<std::int32_t*>(source.data());
  in.desc.target = {managed.storage, nullptr, 8, nullptr};
  REQUIRE(in.run(shelf) == TENURE_OK);
  Copy across({6});
  across.desc.source = {managed.storage, nullptr, 8, nullptr};
  across.desc.target = {mapped.storage, nullptr, 0, nullptr};
  REQUIRE(across.run(shelf) == TENURE_OK);
  Copy out({6});
  out.desc.source = {mapped.storage, nullptr, 0, nullptr};
  out.desc.target.address = target.data();
  REQUIRE(out.run(shelf) == TENURE_OK);

  CHECK(target == source);
  CHECK(shelf.provider().map_calls == 1 + 2);
  CHECK(shelf.provider().unmap_calls == 2);
  shelf.release(managed);
  shelf.release(mapped);
}

TEST_CASE("copy: walks strides of both ends and offsets of host memory") {
  OpenProvider<Shelf> shelf;
  const std::array<std::int32_t, 7> source{0, 1, 2, 3, 4, 5, 6};
  std::array<std::int32_t, 6> target{};
  Copy copy({2, 3});
  copy.desc.source.address = const_cast<std::int32_t*>(source.data());
  copy.desc.source.offset_bytes = 4;
  copy.source_strides = {3, 1};
  copy.desc.target.address = target.data();

  REQUIRE(copy.run(shelf) == TENURE_OK);
  CHECK(target == std::array<std::int32_t, 6>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("copy: one storage may be both ends as long as they share no byte") {
  OpenProvider<Shelf> shelf;
  const auto info = shelf.made(8 * 4, Shelf::mapped);
  REQUIRE(fill(shelf, info.storage, 0, 32, 4) == TENURE_OK);
  const int maps_before = shelf.provider().map_calls;

  Copy rows({4});
  rows.source_strides = rows.target_strides = {2};
  rows.desc.source = {info.storage, nullptr, 0, nullptr};
  rows.desc.target = {info.storage, nullptr, 4, nullptr};
  CHECK(rows.run(shelf) == TENURE_OK);
  CHECK(shelf.provider().map_calls == maps_before + 1);

  for (const std::uint64_t offset : {0u, 1u, 8u, 7u}) {
    CAPTURE(offset);
    Copy overlapping({4});
    overlapping.desc.source = {info.storage, nullptr, 0, nullptr};
    overlapping.desc.target = {info.storage, nullptr, offset, nullptr};
    CHECK(overlapping.run(shelf) == TENURE_INVALID_ARGUMENT);
    CHECK(std::string_view(shelf.status.message) == "copy: source and target overlap");
  }
  CHECK(shelf.provider().map_calls - maps_before == shelf.provider().unmap_calls - maps_before);
  shelf.release(info);
}

TEST_CASE("copy and fill: a storage that is written in part is mapped for reading too where it may be") {
  OpenProvider<Shelf> shelf;
  const auto info = shelf.made(32, Shelf::mapped);
  std::array<std::int32_t, 2> host{1, 2};
  Copy in({2});
  in.desc.source.address = host.data();
  in.desc.target.storage = info.storage;
  REQUIRE(in.run(shelf) == TENURE_OK);
  CHECK(shelf.provider().last_access == sdk::mapped_host_access);
  REQUIRE(fill(shelf, info.storage, 8, 8, 4) == TENURE_OK);
  CHECK(shelf.provider().last_access == sdk::mapped_host_access);
  Copy out({2});
  out.desc.source.storage = info.storage;
  out.desc.target.address = host.data();
  REQUIRE(out.run(shelf) == TENURE_OK);
  CHECK(shelf.provider().last_access == TENURE_ACCESS_HOST_READ);
  shelf.release(info);

  OpenProvider<Chute> chute;
  const auto written = chute.made(32);
  auto desc = tenure::abi::make_struct<tenure_fill_desc>();
  desc.storage = written.storage;
  desc.bytes = 32;
  desc.pattern_bytes = 1;
  REQUIRE(chute->fill(chute.instance, &desc, nullptr, nullptr) == TENURE_OK);
  CHECK(chute.provider().last_access == TENURE_ACCESS_HOST_WRITE);
  chute.release(written);
}

TEST_CASE("storage_of: a provider whose storage the glue keeps copies between handles itself") {
  OpenProvider<Chute> chute;
  const auto info = chute.made(16);
  std::array<std::int32_t, 4> source{1, 2, 3, 4}, target{};
  const std::int64_t extent = 4;
  auto desc = tenure::abi::make_struct<tenure_copy_desc>();
  desc.extents = &extent;
  desc.rank = 1;
  desc.element_bytes = 4;
  desc.source.address = source.data();
  desc.target.storage = info.storage;
  REQUIRE(chute->copy(chute.instance, &desc, nullptr, nullptr) == TENURE_OK);
  desc.source = {info.storage, nullptr, 0, nullptr};
  desc.target = {nullptr, target.data(), 0, nullptr};
  REQUIRE(chute->copy(chute.instance, &desc, nullptr, nullptr) == TENURE_OK);
  CHECK(target == source);
  CHECK(chute.provider().copies == 2);
  CHECK(chute.provider().map_calls == 0);
  chute.release(info);
}

TEST_CASE("copy: an end that reaches beyond its storage is refused on either side") {
  OpenProvider<Shelf> shelf;
  std::array<std::int32_t, 8> host{};
  const auto info = shelf.made(16, Shelf::managed);

  for (const std::uint64_t offset : {std::uint64_t{4}, std::uint64_t{17}, UINT64_MAX, UINT64_MAX - 15}) {
    CAPTURE(offset);
    Copy in({4});
    in.desc.source.address = host.data();
    in.desc.target = {info.storage, nullptr, offset, nullptr};
    CHECK(in.run(shelf) == TENURE_OUT_OF_RANGE);
    Copy out({4});
    out.desc.source = {info.storage, nullptr, offset, nullptr};
    out.desc.target.address = host.data();
    CHECK(out.run(shelf) == TENURE_OUT_OF_RANGE);
  }
  Copy backwards({4});
  backwards.desc.source.address = host.data();
  backwards.desc.target = {info.storage, nullptr, 8, nullptr};
  backwards.target_strides = {-1};
  CHECK(backwards.run(shelf) == TENURE_OUT_OF_RANGE);
  backwards.desc.target.offset_bytes = 12;
  CHECK(backwards.run(shelf) == TENURE_OK);
  shelf.release(info);
}

TEST_CASE("copy: boxes that can never be right are refused") {
  OpenProvider<Shelf> shelf;
  std::array<std::int32_t, 2> host{};
  const auto run = [&](std::vector<std::int64_t> extents, std::uint32_t element_bytes) {
    Copy copy(std::move(extents));
    copy.desc.element_bytes = element_bytes;
    copy.desc.source.address = host.data();
    copy.desc.target.address = host.data() + 1;
    return copy.run(shelf);
  };

  CHECK(run({1}, 4) == TENURE_OK);
  CHECK(run({}, 4) == TENURE_OK);
  CHECK(run({1}, 0) == TENURE_INVALID_ARGUMENT);
  CHECK(run({-1}, 4) == TENURE_INVALID_ARGUMENT);
  CHECK(run({INT64_MAX, 4}, 4) == TENURE_INVALID_ARGUMENT);
  CHECK(run(std::vector<std::int64_t>(65, 1), 4) == TENURE_INVALID_ARGUMENT);
}

TEST_CASE("copy: a box without elements touches nothing, not even what is not there") {
  OpenProvider<Shelf> shelf;
  Copy copy({3, 0, INT64_MAX});
  CHECK(copy.run(shelf) == TENURE_OK);
  CHECK(shelf.provider().map_calls == 0);
}

TEST_CASE("copy: an end without an address and memory of the device are refused") {
  OpenProvider<Shelf> shelf;
  std::array<std::int32_t, 4> host{};
  const auto device = shelf.made(16, Shelf::device);
  Copy nowhere({4});
  nowhere.desc.source.address = host.data();
  CHECK(nowhere.run(shelf) == TENURE_INVALID_ARGUMENT);
  Copy in({4});
  in.desc.source.address = host.data();
  in.desc.target = {device.storage, nullptr, 0, nullptr};
  CHECK(in.run(shelf) == TENURE_FAILED_PRECONDITION);
  shelf.release(device);
}

TEST_CASE("fill: repeats the pattern within the range and nowhere else") {
  OpenProvider<Shelf> shelf;
  const auto info = shelf.made(64, Shelf::managed);
  const auto* bytes = static_cast<const std::uint8_t*>(info.address);
  REQUIRE(fill(shelf, info.storage, 0, 64, 1) == TENURE_OK);
  REQUIRE(fill(shelf, info.storage, 8, 48, 16) == TENURE_OK);

  for (std::size_t i = 0; i < 64; ++i) CHECK(bytes[i] == (i < 8 || i >= 56 ? 1 : (i - 8) % 16 + 1));
  shelf.release(info);
}

TEST_CASE("fill: patterns and ranges that can never be right are refused") {
  OpenProvider<Shelf> shelf;
  const auto info = shelf.made(64, Shelf::managed);
  for (const std::uint32_t pattern_bytes : {0u, 3u, 12u, 32u, 1u << 31}) {
    CHECK(fill(shelf, info.storage, 0, 48, pattern_bytes) == TENURE_INVALID_ARGUMENT);
  }
  CHECK(fill(shelf, info.storage, 0, 7, 2) == TENURE_INVALID_ARGUMENT);
  CHECK(fill(shelf, info.storage, 1, 64, 1) == TENURE_OUT_OF_RANGE);
  CHECK(fill(shelf, info.storage, UINT64_MAX, 2, 1) == TENURE_OUT_OF_RANGE);
  CHECK(fill(shelf, info.storage, 8, UINT64_MAX - 7, 1) == TENURE_OUT_OF_RANGE);
  CHECK(fill(shelf, info.storage, 64, 0, 1) == TENURE_OK);
  CHECK(fill(shelf, nullptr, 0, 8, 1) == TENURE_INVALID_ARGUMENT);
  shelf.release(info);
}
