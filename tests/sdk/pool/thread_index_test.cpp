// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/thread_index.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

#include "tenure/abi/struct_head.hpp"

using tenure::sdk::Host;
using tenure::sdk::pool::HostThreadIndex;

namespace {

std::uint32_t read_index(tenure_host_context* context) noexcept {
  return *reinterpret_cast<const std::uint32_t*>(context);
}

}  // namespace

TEST_CASE("HostThreadIndex: it answers what the host answers") {
  std::uint32_t index = 5;
  auto table = tenure::abi::make_struct<tenure_host>();
  table.context = reinterpret_cast<tenure_host_context*>(&index);
  table.thread_index = &read_index;
  const HostThreadIndex thread_index{Host(&table)};
  CHECK(thread_index() == 5);
  index = 6;
  CHECK(thread_index() == 6);
}

TEST_CASE("HostThreadIndex: a host too old to know its threads gives no index") {
  auto table = tenure::abi::make_struct<tenure_host>();
  table.head.bytes = offsetof(tenure_host, thread_index);
  CHECK(HostThreadIndex(Host(&table))() == Host::no_thread_index);
}
