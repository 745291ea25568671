// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/pool.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/validation_error.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::FakeProvider;

namespace {

// A block of the pool as a vector of the user's.
BufferVector<double> extract(const Pool& pool, std::size_t count) {
  return adopt_buffer<double>(std::make_shared<BufferAdoption>(), pool.acquire(count * sizeof(double)));
}

}  // namespace

TEST_CASE("Pool: a released block is what the next request gets") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  CHECK(pool.is_recycling());
  const std::byte* first = nullptr;
  {
    const Storage storage = pool.acquire(512);
    first = storage.address();
    CHECK(pool.statistics().live_count == 1);
  }
  CHECK(pool.statistics().buffers == 1);
  CHECK(pool.statistics().capacity_bytes == 512);
  const Storage again = pool.acquire(512);
  CHECK(again.address() == first);
  CHECK(pool.statistics().hits == 1);
  CHECK(provider.calls.create == 0);
}

TEST_CASE("Pool: a block may outlive its pool") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  std::optional<Pool> pool(provider.domain(FakeProvider::pageable));
  {
    const Storage storage = pool->acquire(64);
    pool.reset();
    CHECK(storage.address() != nullptr);
    CHECK(provider.live_count() == 1);
  }
  CHECK(provider.live_count() == 0);
  CHECK(provider.control().live().is_zero());
}

TEST_CASE("Pool: a provider without pools is asked for plain storage") {
  FakeProvider provider;
  const Pool pool(provider.domain(FakeProvider::managed));
  CHECK_FALSE(pool.is_recycling());
  { const Storage storage = pool.acquire(64); }
  CHECK(provider.calls.create == 1);
  CHECK(provider.calls.release == 1);
  CHECK(pool.statistics().buffers == 0);
  CHECK(pool.trim() == 0);
}

TEST_CASE("Pool: options reach the provider, and absent ones leave it its own") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  { const Pool pool(provider.domain(FakeProvider::pageable)); }
  CHECK_FALSE(provider.pool_mode_is_set);
  CHECK(provider.pool_retained_bytes_max == UINT64_MAX);
  for (const auto& [mode, number] :
       {std::pair{PoolMode::count, TENURE_POOL_COUNT}, std::pair{PoolMode::poison, TENURE_POOL_POISON},
        std::pair{PoolMode::guard, TENURE_POOL_GUARD}, std::pair{PoolMode::bypass, TENURE_POOL_BYPASS},
        std::pair{PoolMode::trace, TENURE_POOL_TRACE}}) {
    const Pool pool(provider.domain(FakeProvider::pageable), {.retained_bytes_max = 0, .mode = mode});
    CHECK(provider.pool_mode_is_set);
    CHECK(provider.pool_mode == static_cast<std::uint32_t>(number));
    CHECK(provider.pool_retained_bytes_max == 0);
    CHECK(provider.pool_trace_events_max == 0);
  }
  const Pool pool(provider.domain(FakeProvider::pageable), {.trace_events_max = 12});
  CHECK(provider.pool_trace_events_max == 12);
}

TEST_CASE("Pool: a trace of no events is refused before the provider is asked") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const AllocationDomain domain = provider.domain(FakeProvider::pageable);
  const auto error = caught<ValidationError>([&] { return Pool(domain, {.trace_events_max = 0}); });
  CHECK(error.get_if<InvalidArgument>()->argument == "trace_events_max");
  CHECK(provider.control().live().is_zero());
}

TEST_CASE("Pool: OutOfMemory carries what the pool held") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  { const Storage idle = pool.acquire(128); }
  const Storage out = pool.acquire(64);
  provider.lies.create_code = TENURE_RESOURCE_EXHAUSTED;
  const auto error = caught<OutOfMemory>([&] { return pool.acquire(4096); });
  CHECK(error.bytes() == 4096);
  REQUIRE(error.pool().has_value());
  CHECK(error.pool()->idle_count == 1);
  CHECK(error.pool()->idle_bytes == 128);
  CHECK(error.pool()->live_count == 1);
  CHECK(contains(error.what(), "1 block of 128 bytes idle"));
  provider.lies.statistics_code = TENURE_INTERNAL;
  CHECK_FALSE(caught<OutOfMemory>([&] { return pool.acquire(4096); }).pool().has_value());
}

TEST_CASE("Pool: one that the provider does not make leaves nothing behind") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  provider.lies.create_code = TENURE_UNIMPLEMENTED;
  const AllocationDomain domain = provider.domain(FakeProvider::pageable);
  CHECK(caught<ProviderError>([&] { return Pool(domain); }).status_code() == TENURE_UNIMPLEMENTED);
  provider.lies = {.null_storage = true};
  CHECK(contains(caught<ProviderError>([&] { return Pool(domain); }).what(), "there is no pool"));
  CHECK(provider.control().live().is_zero());
}

TEST_CASE("Pool: a moved-from pool owns nothing and throws EmptyOwner") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  Pool pool(provider.domain(FakeProvider::pageable));
  Pool moved = std::move(pool);
  CHECK(caught<EmptyOwner>([&] { return pool.acquire(64); }).operation() == "Pool::acquire");
  CHECK(caught<EmptyOwner>([&] { return pool.statistics(); }).operation() == "Pool::statistics");
  CHECK(pool.trim() == 0);
  pool = std::move(moved);
  CHECK(pool.acquire(64).bytes() == 64);
  pool = Pool(provider.domain(FakeProvider::managed));
  CHECK(provider.control().live().counts[1] == 1);
}

TEST_CASE("Pool: an extracted block does not come back when it is dropped") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  { const BufferVector<double> extracted = extract(pool, 4096); }
  CHECK(provider.calls.detach == 1);
  CHECK(pool.statistics().buffers == 0);
  CHECK(provider.live_count() == 0);
}

TEST_CASE("Pool: an extracted block does not keep its instance from closing, the provider closes with it") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  std::optional<Pool> pool(provider.domain(FakeProvider::pageable));
  {
    const BufferVector<double> extracted = extract(*pool, 8);
    const auto error = caught<ProviderError>([&] {
      provider.control().close();
      return 0;
    });
    CHECK(contains(error.what(), "1 pool"));
    CHECK_FALSE(contains(error.what(), "extracted"));
    pool.reset();
    provider.control().close();
    CHECK_THROWS_AS(provider.domain(FakeProvider::pageable).allocate(64), ProviderError);
    CHECK(provider.calls.close == 0);
    CHECK(extracted.size() == 8);
    provider.control().close();
  }
  CHECK(provider.calls.release == 1);
  CHECK(provider.calls.close == 1);
  CHECK(provider.control().is_closed());
}

TEST_CASE("Pool: an extracted block that is given back is what the next request gets") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  BufferVector<double> extracted = extract(pool, 4096);
  const void* const address = extracted.data();
  pool.give_back(std::move(extracted));
  CHECK(extracted.empty());
  CHECK(pool.statistics().buffers == 1);
  CHECK(pool.statistics().capacity_bytes == 32768);
  CHECK(pool.acquire(32768).address() == address);
  CHECK(provider.calls.release == 1);
}

TEST_CASE("Pool: a foreign block is refused and stays as it was") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  FakeProvider other(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  const Pool second(provider.domain(FakeProvider::pageable));
  const Pool elsewhere(other.domain(FakeProvider::pageable));
  BufferVector<double> extracted = extract(pool, 8);
  extracted[7] = 3.5;
  for (const Pool* foreign : {&second, &elsewhere}) {
    const auto error = caught<ProviderError>([&] {
      foreign->give_back(std::move(extracted));
      return 0;
    });
    CHECK(error.status_code() == TENURE_INVALID_ARGUMENT);
    REQUIRE(extracted.size() == 8);
    CHECK(extracted[7] == 3.5);
  }
  BufferVector<double> ordinary(3);
  CHECK_THROWS_AS(pool.give_back(std::move(ordinary)), ProviderError);
  CHECK(ordinary.size() == 3);
  extracted.resize(9);
  CHECK_THROWS_AS(pool.give_back(std::move(extracted)), ProviderError);
  CHECK(extracted[7] == 3.5);
}
