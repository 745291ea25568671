// SPDX-License-Identifier: Apache-2.0
// storage: making storage of the CPU provider's domain.
#pragma once

#include <doctest/doctest.h>

#include "cpu_plugin.hpp"

namespace cpu_test {

// Requires success. Give it back with storage_release.
inline tenure_storage_info create(const Instance& instance, std::uint64_t bytes,
                                  std::uint64_t alignment_bytes = 0, std::uint32_t flags = 0) {
  auto desc = tenure::abi::make_struct<tenure_storage_desc>();
  desc.bytes = bytes;
  desc.alignment_bytes = alignment_bytes;
  desc.flags = flags;
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  auto status = tenure::abi::make_struct<tenure_status>();
  REQUIRE(instance.api().storage_create(instance.handle(), 0, &desc, &info, &status) == TENURE_OK);
  return info;
}

}  // namespace cpu_test
