// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/placement.hpp"

#include <doctest/doctest.h>

using tenure::MemoryKind;
using tenure::Placement;

TEST_CASE("Placement: the default is unpinned host memory of no device") {
  const Placement placement;
  CHECK(placement.memory == MemoryKind::unpinned_host);
  CHECK(placement.device_type == 0);
  CHECK(placement == Placement{});
  CHECK_FALSE(placement == Placement{MemoryKind::device, 2, 1});
}

TEST_CASE("memory_kind_name: every kind has its name and an unknown number is unknown") {
  CHECK(tenure::memory_kind_name(MemoryKind::unpinned_host) == "unpinned_host");
  CHECK(tenure::memory_kind_name(MemoryKind::other) == "other");
  CHECK(tenure::memory_kind_name(static_cast<MemoryKind>(200)) == "unknown");
}
