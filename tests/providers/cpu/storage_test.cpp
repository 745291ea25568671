// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "cpu_plugin.hpp"
#include "storage.hpp"

namespace cpu_test {

TEST_CASE("Storage: is aligned, zeroed on request, and has no identity") {
  const Instance instance;
  for (const std::uint64_t alignment_bytes : {std::uint64_t{0}, std::uint64_t{64}, std::uint64_t{4096}}) {
    for (const std::uint64_t bytes :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{100000}, std::uint64_t{8} << 20}) {
      const tenure_storage_info info = create(instance, bytes, alignment_bytes, TENURE_STORAGE_ZERO);
      CHECK(info.bytes >= bytes);
      CHECK(info.allocation_id == 0);
      REQUIRE(info.address != nullptr);
      CHECK(reinterpret_cast<std::uintptr_t>(info.address) % std::max<std::uint64_t>(alignment_bytes, 64) ==
            0);
      const auto* const first = static_cast<const unsigned char*>(info.address);
      CHECK(std::all_of(first, first + bytes, [](unsigned char byte) { return byte == 0; }));
      auto mapping = tenure::abi::make_struct<tenure_mapping>();
      REQUIRE(instance.api().storage_map(instance.handle(), info.storage, TENURE_ACCESS_HOST_READ, &mapping,
                                         nullptr) == TENURE_OK);
      CHECK(mapping.address == info.address);
      instance.api().storage_unmap(instance.handle(), info.storage, TENURE_ACCESS_HOST_READ);
      instance.api().storage_release(instance.handle(), info.storage, nullptr);
    }
  }
}

TEST_CASE("Storage: more memory than there is is refused and the instance stays usable") {
  const Instance instance;
  auto desc = tenure::abi::make_struct<tenure_storage_desc>();
  desc.bytes = std::uint64_t{1} << 60;
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  auto status = tenure::abi::make_struct<tenure_status>();
  CHECK(instance.api().storage_create(instance.handle(), 0, &desc, &info, &status) ==
        TENURE_RESOURCE_EXHAUSTED);
  CHECK(std::string(status.message).find(std::to_string(desc.bytes)) != std::string::npos);
  instance.api().storage_release(instance.handle(), create(instance, 64).storage, nullptr);
}

TEST_CASE("Storage: copies between storage and host memory, with any strides") {
  const Instance instance;
  CHECK(instance.api().can_copy(instance.handle(), 0, TENURE_DOMAIN_HOST) == 1);
  CHECK(instance.api().can_copy(instance.handle(), TENURE_DOMAIN_HOST, 0) == 1);
  const tenure_storage_info info = create(instance, 6 * sizeof(double));
  const std::array<double, 6> host_data{1, 2, 3, 4, 5, 6};
  const std::array<std::int64_t, 2> extents{2, 3};
  const std::array<std::int64_t, 2> row_major{3, 1};
  auto desc = tenure::abi::make_struct<tenure_copy_desc>();
  desc.source.address = const_cast<double*>(host_data.data());
  desc.source.strides = row_major.data();
  desc.target.storage = info.storage;
  desc.extents = extents.data();
  desc.rank = 2;
  desc.element_bytes = sizeof(double);
  REQUIRE(instance.api().copy(instance.handle(), &desc, nullptr, nullptr) == TENURE_OK);
  const std::array<double, 6> expected{1, 4, 2, 5, 3, 6};
  CHECK(std::memcmp(info.address, expected.data(), sizeof expected) == 0);

  auto fill = tenure::abi::make_struct<tenure_fill_desc>();
  fill.storage = info.storage;
  fill.offset_bytes = 8;
  fill.bytes = 16;
  fill.pattern[0] = 7;
  fill.pattern_bytes = 1;
  REQUIRE(instance.api().fill(instance.handle(), &fill, nullptr, nullptr) == TENURE_OK);
  CHECK(static_cast<const unsigned char*>(info.address)[8] == 7);
  CHECK(static_cast<const unsigned char*>(info.address)[23] == 7);
  CHECK(std::memcmp(static_cast<const double*>(info.address) + 3, expected.data() + 3, 3 * sizeof(double)) ==
        0);
  instance.api().storage_release(instance.handle(), info.storage, nullptr);
}

}  // namespace cpu_test
