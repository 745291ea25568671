// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/allocation_domain.hpp"

#include <doctest/doctest.h>

#include "memory/allocation_record.hpp"
#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/validation_error.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::FakeProvider;

namespace {

// Asks the domain for storage that is refused, and checks that nothing is left of the attempt.
template <class E>
E refused_by(FakeProvider& provider, FakeProvider::Domain domain) {
  const E error = caught<E>([&] { return provider.domain(domain).allocate(256); });
  CHECK(provider.live_count() == 0);
  CHECK(provider.control().live().is_zero());
  return error;
}

}  // namespace

TEST_CASE("AllocationDomain: shows what the provider said of it") {
  FakeProvider provider;
  const AllocationDomain managed = provider.domain(FakeProvider::managed);
  CHECK(managed.name() == "test:0/managed");
  CHECK(managed.is_host_readable());
  CHECK(managed.is_host_writable());
  CHECK_FALSE(managed.is_coherent());
  CHECK(managed.placement().memory == MemoryKind::managed);
  CHECK(managed.info().alignment_bytes_min == 64);
  CHECK(provider.domain(FakeProvider::coherent).is_coherent());
  CHECK_FALSE(provider.domain(FakeProvider::device).is_host_readable());
  CHECK_FALSE(provider.domain(FakeProvider::read_only).is_host_writable());
}

TEST_CASE("AllocationDomain: ids are unique in the process and handles compare by domain") {
  FakeProvider first;
  FakeProvider second;
  CHECK(first.domain(FakeProvider::managed) == first.domain(FakeProvider::managed));
  CHECK_FALSE(first.domain(FakeProvider::managed) == first.domain(FakeProvider::device));
  CHECK(first.domain(FakeProvider::managed).id() != second.domain(FakeProvider::managed).id());
}

TEST_CASE("AllocationDomain: storage is made once, counted, and released once") {
  FakeProvider provider;
  {
    const Storage storage = provider.domain(FakeProvider::managed).allocate(1000);
    CHECK(storage.bytes() == 1000);
    CHECK(storage.alignment_bytes() == 64);
    CHECK(storage.address() == nullptr);
    REQUIRE(storage.record() != nullptr);
    CHECK(provider.control().live().counts[0] == 1);
    CHECK(provider.control().live().bytes[0] == 1000);
  }
  CHECK(provider.calls.create == 1);
  CHECK(provider.calls.release == 1);
  CHECK(provider.control().live().is_zero());
}

TEST_CASE("AllocationDomain: pageable memory without an id is plain host memory") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::pageable).allocate(64);
  CHECK(storage.address() != nullptr);
  CHECK(storage.record() == nullptr);
}

TEST_CASE("AllocationDomain: coherent memory shows its address and keeps its identity") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::coherent).allocate(64);
  CHECK(storage.address() != nullptr);
  REQUIRE(storage.record() != nullptr);
  CHECK(storage.record()->coherent_address == storage.address());
}

TEST_CASE("AllocationDomain: no bytes cause no call") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::device).allocate(0);
  CHECK(storage.address() == nullptr);
  CHECK(storage.record() == nullptr);
  CHECK(provider.calls.create == 0);
}

TEST_CASE("AllocationDomain: an alignment that is no power of two and too many bytes are refused unasked") {
  FakeProvider provider;
  const AllocationDomain domain = provider.domain(FakeProvider::managed);
  const auto alignment = caught<ValidationError>([&] { return domain.allocate(64, 48); });
  CHECK(contains(alignment.what(), "48"));
  const auto size = caught<ValidationError>([&] { return domain.allocate(std::size_t{1} << 41); });
  CHECK(contains(size.what(), "smaller pieces"));
  CHECK(provider.calls.create == 0);
}

TEST_CASE("AllocationDomain: a provider without memory is OutOfMemory with the provider's words as cause") {
  FakeProvider provider;
  provider.lies.create_code = TENURE_RESOURCE_EXHAUSTED;
  const auto error = refused_by<OutOfMemory>(provider, FakeProvider::managed);
  CHECK(error.bytes() == 256);
  CHECK(error.domain() == "test:0/managed");
  CHECK_FALSE(error.pool().has_value());
  REQUIRE(error.cause() != nullptr);
  CHECK(contains(error.cause()->what(), "asked to fail"));
}

TEST_CASE("AllocationDomain: any other failure of the provider is a ProviderError with its code") {
  FakeProvider provider;
  provider.lies.create_code = TENURE_UNAVAILABLE;
  const auto error = refused_by<ProviderError>(provider, FakeProvider::managed);
  CHECK(error.status_code() == TENURE_UNAVAILABLE);
  CHECK(contains(error.what(), "256 bytes in test:0/managed"));
}

TEST_CASE("AllocationDomain: success without a storage is refused in words") {
  FakeProvider provider;
  provider.lies.null_storage = true;
  const auto error = refused_by<ProviderError>(provider, FakeProvider::managed);
  CHECK(contains(error.what(), "there is no storage"));
  CHECK(provider.calls.release == 0);
}

TEST_CASE("AllocationDomain: a block that is too short is given back and refused in words") {
  FakeProvider provider;
  provider.lies.short_bytes = true;
  const auto error = refused_by<ProviderError>(provider, FakeProvider::managed);
  CHECK(contains(error.what(), "only 255 bytes"));
  CHECK(provider.calls.release == 1);
}

TEST_CASE("AllocationDomain: a misaligned block is given back and refused in words") {
  FakeProvider provider;
  provider.lies.misaligned = true;
  const auto error = refused_by<ProviderError>(provider, FakeProvider::coherent);
  CHECK(contains(error.what(), "1 bytes off the alignment of 64"));
  CHECK(provider.calls.release == 1);
}

TEST_CASE("AllocationDomain: plain host memory without an address is given back and refused in words") {
  FakeProvider provider;
  provider.lies.null_address = true;
  const auto error = refused_by<ProviderError>(provider, FakeProvider::pageable);
  CHECK(contains(error.what(), "no address"));
  CHECK(provider.calls.release == 1);
}

TEST_CASE("AllocationDomain: memory that is not pageable needs an identity") {
  FakeProvider provider;
  provider.lies.no_identity = true;
  const auto error = refused_by<ProviderError>(provider, FakeProvider::device);
  CHECK(contains(error.what(), "no allocation id"));
  CHECK(provider.calls.release == 1);
}

TEST_CASE("AllocationDomain: statistics and trim ask the provider") {
  FakeProvider provider;
  const AllocationDomain domain = provider.domain(FakeProvider::managed);
  const Storage storage = domain.allocate(100);
  const DomainStatistics statistics = domain.statistics();
  CHECK(statistics.live_count == 1);
  CHECK(statistics.live_bytes == 100);
  CHECK(domain.trim(10) == 11);
  provider.lies.statistics_code = TENURE_INTERNAL;
  CHECK(caught<ProviderError>([&] { return domain.statistics(); }).status_code() == TENURE_INTERNAL);
}

TEST_CASE("AllocationDomain: after the instance closed its facts stay and its calls are refused") {
  FakeProvider provider;
  const AllocationDomain domain = provider.domain(FakeProvider::managed);
  provider.control().close();
  CHECK(domain.name() == "test:0/managed");
  CHECK(caught<ProviderError>([&] { return domain.allocate(64); }).status_code() ==
        TENURE_FAILED_PRECONDITION);
  CHECK(caught<ProviderError>([&] { return domain.statistics(); }).status_code() ==
        TENURE_FAILED_PRECONDITION);
  CHECK(caught<ProviderError>([&] { return domain.trim(); }).status_code() == TENURE_FAILED_PRECONDITION);
  CHECK(provider.calls.create == 0);
}

TEST_CASE("AllocationDomain: the last storage of a draining instance closes it") {
  FakeProvider provider;
  {
    const Storage storage = provider.domain(FakeProvider::managed).allocate(64);
    provider.control().drain();
    CHECK(provider.calls.close == 0);
  }
  CHECK(provider.calls.release == 1);
  CHECK(provider.calls.close == 1);
}
