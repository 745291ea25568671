// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/storage.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>

#include "support/caught.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/provider_note.h"

using tenure::DataPtr;
using tenure::Storage;

TEST_CASE("Storage: an adopted vector keeps its bytes and comes back as itself") {
  std::vector<double> vector(100);
  std::iota(vector.begin(), vector.end(), 0.0);
  const double* const data = vector.data();
  Storage storage = Storage::adopt(std::move(vector));
  CHECK(vector.empty());
  CHECK(storage.address() == reinterpret_cast<const std::byte*>(data));
  CHECK(storage.bytes() == 800);
  CHECK(storage.record() == nullptr);
  CHECK(storage.holds_vector());
  CHECK(storage.holds_vector_of<double>());

  Storage moved = std::move(storage);
  CHECK(storage.address() == nullptr);
  CHECK(storage.bytes() == 0);
  CHECK_FALSE(storage.holds_vector());
  std::vector<double> back = moved.take_vector<double>();
  CHECK(back.data() == data);
  CHECK(back.back() == 99.0);
  CHECK(moved.address() == nullptr);
}

TEST_CASE("Storage: a vector is only of the type that it came as, whatever its dtype") {
  const Storage storage = Storage::adopt(std::vector<long long>(3));
  CHECK(storage.holds_vector_of<long long>());
  CHECK_FALSE(storage.holds_vector_of<long>());
  CHECK_FALSE(storage.holds_vector_of<double>());
}

TEST_CASE("Storage: an empty vector has a null address and still comes back") {
  std::vector<float> vector;
  vector.reserve(10);
  const float* const data = vector.data();
  Storage storage = Storage::adopt(std::move(vector));
  CHECK(storage.address() == nullptr);
  CHECK(storage.bytes() == 0);
  CHECK(storage.take_vector<float>().data() == data);
}

TEST_CASE("Storage: adopted memory is given back once, by whichever storage has it last") {
  int releases = 0;
  double data[4] = {};
  const auto release = [](void* context) noexcept { ++*static_cast<int*>(context); };
  {
    Storage storage =
        Storage::adopt(DataPtr({.data = data, .context = &releases, .deleter = release}), sizeof(data));
    CHECK(storage.address() == reinterpret_cast<std::byte*>(data));
    CHECK_FALSE(storage.holds_vector());
    Storage other = std::move(storage);
    storage = std::move(other);
    CHECK(releases == 0);
    storage = Storage();
    CHECK(releases == 1);
  }
  CHECK(releases == 1);
}

TEST_CASE("Storage: the core's host memory is aligned to 64 bytes") {
  for (const std::size_t bytes : {1u, 63u, 64u, 1000u, 100000u}) {
    const Storage storage = Storage::on_host("test", bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(storage.address()) % Storage::host_alignment_bytes == 0);
    CHECK(storage.alignment_bytes() % Storage::host_alignment_bytes == 0);
    CHECK(storage.bytes() == bytes);
  }
  CHECK(Storage::on_host("test", 0).address() == nullptr);
  CHECK(Storage::on_host("test", 0).alignment_bytes() == 1);
}

TEST_CASE("Storage: memory that cannot be had is an error with its size and place") {
  for (const std::size_t bytes : {SIZE_MAX / 2 - 1024, SIZE_MAX - 7, SIZE_MAX}) {
    // A sanitizer's allocator ends the process rather than refuse.
    if (bytes <= SIZE_MAX / 2 && TENURE_SANITIZERS_HERE != 0) continue;
    const auto error =
        tenure_test::caught<tenure::OutOfMemory>([&] { return Storage::on_host("zeros", bytes); });
    CHECK(error.bytes() == bytes);
    CHECK(error.domain() == "host");
    CHECK_FALSE(error.pool().has_value());
    CHECK(error.operation() == "zeros");
    CHECK(tenure_test::contains(error.what(), "release tensors"));
  }
}

TEST_CASE("Storage: every element type but bool can be adopted and taken back") {
  const auto round_trip = []<class T>(std::vector<T> vector) {
    const T* const data = vector.data();
    Storage storage = Storage::adopt(std::move(vector));
    REQUIRE(storage.template holds_vector_of<T>());
    CHECK(storage.template take_vector<T>().data() == data);
  };
  round_trip(std::vector<std::int8_t>(2));
  round_trip(std::vector<std::int16_t>(2));
  round_trip(std::vector<std::int32_t>(2));
  round_trip(std::vector<std::int64_t>(2));
  round_trip(std::vector<std::uint8_t>(2));
  round_trip(std::vector<std::uint16_t>(2));
  round_trip(std::vector<std::uint32_t>(2));
  round_trip(std::vector<std::uint64_t>(2));
  round_trip(std::vector<unsigned long long>(2));
  round_trip(std::vector<tenure::float16>(2));
  round_trip(std::vector<tenure::bfloat16>(2));
  round_trip(std::vector<float>(2));
  round_trip(std::vector<double>(2));
  round_trip(std::vector<std::complex<float>>(2));
  round_trip(std::vector<std::complex<double>>(2));
}

TEST_CASE("Storage: extracting memory that came from no provider changes nothing") {
  Storage storage = Storage::on_host("test", 64);
  const std::byte* const address = storage.address();
  storage.extract();
  CHECK(storage.address() == address);
}

static_assert(sizeof(Storage) <= 80);
static_assert(!std::is_copy_constructible_v<Storage> && !std::is_copy_assignable_v<Storage>);
static_assert(std::is_nothrow_move_constructible_v<Storage> && std::is_nothrow_move_assignable_v<Storage>);
