// SPDX-License-Identifier: Apache-2.0
// The memory layer over the CPU provider as a user loads it.
#include <doctest/doctest.h>

#include <optional>

#include "support/caught.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/loader/registry.hpp"
#include "tenure/memory/pool_snapshot.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;

namespace {

Instance open_cpu() {
  return Registry().load(TENURE_TEST_CPU_PROVIDER, {.policy = PathPolicy::off, .alias = {}}).open();
}

BufferVector<double> extract(const Pool& pool, std::size_t count) {
  return adopt_buffer<double>(std::make_shared<BufferAdoption>(), pool.acquire(count * sizeof(double)));
}

}  // namespace

TEST_CASE("Instance: gives its domains by name and its default one, and names them when there is no such") {
  const Instance instance = open_cpu();
  const AllocationDomain domain = instance.default_domain();
  CHECK(instance.domain(domain.name()) == domain);
  CHECK(domain.placement().memory == MemoryKind::unpinned_host);
  const auto error = caught<ProviderError>([&] { return instance.domain("cpu:7/nowhere"); });
  CHECK(error.status_code() == TENURE_NOT_FOUND);
  CHECK(contains(error.what(), domain.name()));
}

TEST_CASE("cpu memory: storage is plain host memory without identity, aligned, from a pool or not") {
  const Instance instance = open_cpu();
  const Pool pool(instance.default_domain(), {.retained_bytes_max = {}, .mode = PoolMode::count});
  for (const std::size_t bytes : {1u, 100u, 4096u}) {
    const Storage plain = instance.default_domain().allocate(bytes);
    const Storage pooled = pool.acquire(bytes);
    for (const Storage* storage : {&plain, &pooled}) {
      CHECK(storage->record() == nullptr);
      CHECK(storage->bytes() == bytes);
      CHECK(reinterpret_cast<std::uintptr_t>(storage->address()) % 64 == 0);
    }
  }
}

TEST_CASE("cpu memory: a pool recycles what is dropped, not what was extracted, until it is given back") {
  const Instance instance = open_cpu();
  const Pool pool(instance.default_domain(), {.retained_bytes_max = {}, .mode = PoolMode::count});
  const std::byte* first = nullptr;
  {
    const Storage storage = pool.acquire(32768);
    first = storage.address();
  }
  CHECK(pool.statistics().buffers == 1);
  BufferVector<double> extracted = extract(pool, 4096);
  CHECK(reinterpret_cast<const std::byte*>(extracted.data()) == first);
  { const BufferVector<double> dropped = extract(pool, 4096); }
  CHECK(pool.statistics().buffers == 0);
  pool.give_back(std::move(extracted));
  CHECK(pool.statistics().buffers == 1);
  CHECK(pool.statistics().capacity_bytes == 32768);
}

TEST_CASE("cpu memory: a snapshot shows what is out, kept and extracted, and the statistics add up") {
  const Instance instance = open_cpu();
  const Pool pool(instance.default_domain(), {.retained_bytes_max = {}, .mode = PoolMode::count});
  const Storage live = pool.acquire(1000);
  { const Storage idle = pool.acquire(5000); }
  const BufferVector<double> extracted = extract(pool, 10);
  const PoolSnapshot snapshot = pool.snapshot();
  CHECK(snapshot.domain == instance.default_domain().name());
  CHECK(snapshot.mode == PoolMode::count);
  CHECK(snapshot.events.empty());
  REQUIRE(snapshot.blocks.size() == 3);
  for (const PoolBlock& block : snapshot.blocks) {
    const bool is_live = block.state == PoolBlockState::live;
    CHECK((block.address == reinterpret_cast<std::uintptr_t>(live.address())) == is_live);
    CHECK((block.address == reinterpret_cast<std::uintptr_t>(extracted.data())) ==
          (block.state == PoolBlockState::detached));
  }
  const PoolStatistics& sum = snapshot.statistics;
  CHECK(sum.live_bytes == 1024);
  CHECK(sum.capacity_bytes == 5120);
  CHECK(sum.reserved_bytes == sum.live_bytes + sum.capacity_bytes);
  CHECK(sum.reserved_bytes == pool.statistics().reserved_bytes);
  CHECK(sum.detached == 1);
}

TEST_CASE("cpu memory: a tracing pool tells what happened in it") {
  const Instance instance = open_cpu();
  const Pool pool(instance.default_domain(), {.mode = PoolMode::trace, .trace_events_max = 4});
  { const Storage first = pool.acquire(1000); }
  { const Storage again = pool.acquire(900); }
  const PoolSnapshot snapshot = pool.snapshot();
  CHECK(snapshot.trace_events_max == 4);
  CHECK(snapshot.dropped_events == 1);
  REQUIRE(snapshot.events.size() == 4);
  CHECK(snapshot.events[0].outcome == PoolEventOutcome::miss);
  CHECK(snapshot.events[2].kind == PoolEventKind::acquire);
  CHECK(snapshot.events[2].outcome == PoolEventOutcome::hit);
  CHECK(snapshot.events[2].bytes == 900);
  CHECK(snapshot.events[3].kind == PoolEventKind::release);
}

TEST_CASE("cpu memory: extracted bytes stay valid after their instance was closed") {
  std::optional<Instance> instance = open_cpu();
  BufferVector<double> extracted;
  {
    const Pool pool(instance->default_domain(), {.retained_bytes_max = {}, .mode = PoolMode::count});
    extracted = extract(pool, 1000);
    CHECK_THROWS_AS(instance->close(), ProviderError);
  }
  extracted[999] = 2.5;
  const AllocationDomain domain = instance->default_domain();
  instance->close();
  CHECK(instance->is_closed());
  CHECK_THROWS_AS(domain.allocate(64), ProviderError);
  instance.reset();
  CHECK(extracted[999] == 2.5);
}
