// SPDX-License-Identifier: Apache-2.0
// The behaviours that were measured on the systems that Tenure came from, each as ours must show it.
#include <doctest/doctest.h>

#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/providers.hpp"
#include "tenure/tenure.hpp"

namespace {

using tenure::HostTensor;
using tenure::PoolMode;

// A pool that recycles in every build, also where the default is not to.
tenure::EngineOptions counted() { return {.pool = {.mode = PoolMode::count}}; }

std::vector<double> numbers(std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

HostTensor<double, 2> matrix_64() {
  return HostTensor<double, 2>::from_vec_col_major({64, 64}, numbers(64 * 64));
}

}  // namespace

TEST_SUITE("integration/seed_measurements") {
  TEST_CASE("adopting a vector keeps its pointer and returning it gives the same vector") {
    std::vector<double> values = numbers(4);
    const double* const pointer = values.data();

    auto tensor = HostTensor<double, 2>::from_vec_col_major({2, 2}, std::move(values));
    CHECK(tensor.host_data().data() == pointer);
    const std::vector<double> returned = std::move(tensor).into_vec_col_major();

    CHECK(returned.data() == pointer);
    CHECK(returned == numbers(4));
  }

  TEST_CASE("a host tensor shows no domain, no allocation id and unpinned host memory") {
    const auto adopted = matrix_64();
    CHECK_FALSE(adopted.domain().has_value());
    CHECK_FALSE(adopted.allocation_id().has_value());
    CHECK(adopted.placement() == tenure::Placement{});

    const auto engine = tenure::test::open("cpu").engine(counted());
    const auto pooled = engine.add(adopted, adopted);
    CHECK_FALSE(pooled.domain().has_value());
    CHECK_FALSE(pooled.allocation_id().has_value());
    CHECK(pooled.placement() == tenure::Placement{});
  }

  TEST_CASE("a view shares its owner's elements and a duplicate does not") {
    const auto tensor = matrix_64();

    CHECK(tensor.as_view().host_data().data() == tensor.host_data().data());
    const auto duplicate = tensor.duplicate();

    CHECK(duplicate.host_data().data() != tensor.host_data().data());
    CHECK_FALSE(same_allocation(tensor, duplicate));
  }

  TEST_CASE("a dropped product leaves one buffer of 32768 bytes, which the next product takes") {
    const auto engine = tenure::test::open("cpu").engine(counted());
    const auto a = matrix_64();
    CHECK(engine.pool_statistics().buffers == 0);

    auto first = std::optional(engine.matmul(a, a));
    const double* const block = first->host_data().data();
    CHECK(engine.pool_statistics().buffers == 0);
    first.reset();
    CHECK(engine.pool_statistics().buffers == 1);
    CHECK(engine.pool_statistics().capacity_bytes == 32768);

    // The system's allocator does not get the block: it is the pool that gives it out again.
    const auto unrelated = std::make_unique<double[]>(64 * 64);
    CHECK(unrelated.get() != block);
    const auto second = engine.matmul(a, a);
    CHECK(second.host_data().data() == block);
    CHECK(engine.pool_statistics().buffers == 0);

    const auto third = engine.matmul(a, a);
    CHECK(third.host_data().data() != block);
  }

  TEST_CASE("the output of exp takes the block that the output of add left") {
    const auto engine = tenure::test::open("cpu").engine(counted());
    const auto a = HostTensor<double, 2>::filled({64, 64}, 0.5);

    auto sum = std::optional(engine.add(a, a));
    const double* const block = sum->host_data().data();
    sum.reset();
    const auto result = engine.exp(a);

    CHECK(result.host_data().data() == block);
  }

  TEST_CASE("every family's output comes back to the pool") {
    const auto engine = tenure::test::open("cpu").engine(counted());
    const auto a = matrix_64();

    engine.reclaim_buffer(engine.sum(a, {.axes = {0}}));
    CHECK(engine.pool_statistics().capacity_bytes == 512);
    CHECK(engine.pool().trim() == 512);
    engine.reclaim_buffer(engine.copy(a.as_view().transposed()));
    CHECK(engine.pool_statistics().capacity_bytes == 32768);
    engine.reclaim_buffer(engine.cast<float>(a));
    CHECK(engine.pool_statistics().buffers == 2);
  }

  TEST_CASE("an output outlives its engine and a new engine does not see its block") {
    const auto cpu = tenure::test::open("cpu");
    const auto a = HostTensor<double, 2>::filled({64, 64}, 1.0);
    auto engine = std::optional(cpu.engine(counted()));
    auto output = std::optional(engine->matmul(a, a));
    engine.reset();

    double total = 0;
    for (const double value : output->host_data()) total += value;
    CHECK(total == 262144);

    const auto fresh = cpu.engine(counted());
    output.reset();
    CHECK(fresh.pool_statistics().buffers == 0);
    CHECK(fresh.pool_statistics().capacity_bytes == 0);
  }

  TEST_CASE("extraction takes the block out of the pool for good and reclaim_buffer gives it back") {
    const auto engine = tenure::test::open("cpu").engine(counted());
    const auto a = matrix_64();
    {
      const auto extracted = engine.matmul(a, a).into_buffer_vector();
      CHECK(extracted.size() == 64 * 64);
      CHECK(engine.pool_statistics().detached == 1);
    }
    CHECK(engine.pool_statistics().buffers == 0);

    engine.reclaim_buffer(engine.matmul(a, a));
    CHECK(engine.pool_statistics().buffers == 1);
    CHECK(engine.pool_statistics().capacity_bytes == 32768);
  }

  TEST_CASE("an output of the pool is no vector, and the error names what to use") {
    const auto engine = tenure::test::open("cpu").engine(counted());
    const auto a = matrix_64();
    auto output = engine.matmul(a, a);

    try {
      (void)std::move(output).into_vec_col_major();
      FAIL("into_vec_col_major should have thrown");
    } catch (const tenure::AccessError& error) {
      CHECK(error.kind() == tenure::AccessError::Kind::not_a_vector);
      CHECK(std::string(error.what()).find("to_vec_col_major") != std::string::npos);
      CHECK(std::string(error.what()).find("into_buffer_vector") != std::string::npos);
    }
    CHECK_FALSE(output.empty());
    CHECK(output.host_data().size() == 64 * 64);
  }

  TEST_CASE(
      "add on shared memory works in place and its result stays in the domain with a new allocation id") {
    const auto cpu = tenure::test::open("cpu");
    for (const char* name : {"fake:0/managed", "fake:0/managed-noncoherent"}) {
      CAPTURE(name);
      const auto fake = tenure::test::open("fake_shared");
      const auto domain = fake.domain(name);
      const auto engine = cpu.engine({.domain = domain, .pool = {.mode = PoolMode::count}});
      const auto matrix = matrix_64();
      const auto shared = tenure::upload(matrix.as_view(), domain);

      tenure::LedgerScope scope;
      const auto sum = engine.add(shared, shared);

      CHECK(scope.bytes_copied() == 0);
      CHECK(sum.domain() == domain);
      CHECK(sum.allocation_id().has_value());
      CHECK(sum.allocation_id() != shared.allocation_id());
      CHECK(sum.placement().memory == tenure::MemoryKind::managed);
      CHECK(sum.map_read().host_data()[2] == 6);
    }
  }

  TEST_CASE("a plain engine takes shared memory as input and puts its result in plain host memory") {
    const auto fake = tenure::test::open("fake_shared");
    const auto domain = fake.domain("fake:0/managed");
    const auto engine = tenure::test::open("cpu").engine(counted());
    const auto matrix = matrix_64();
    const auto shared = tenure::upload(matrix.as_view(), domain);

    const auto sum = engine.add(shared, matrix);

    CHECK_FALSE(sum.domain().has_value());
    CHECK(sum.host_data()[2] == 6);
  }

  TEST_CASE("an operation that fails gives back its output in shared memory, with its map") {
    std::vector<std::string> lines;
    tenure::set_log_sink([&lines](tenure::LogLevel, std::string_view line) { lines.emplace_back(line); });
    for (const char* name : {"fake:0/managed", "fake:0/managed-noncoherent"}) {
      auto fake = tenure::test::open("fake_shared");
      {
        const auto engine = tenure::test::open("cpu").engine({.domain = fake.domain(name)});
        const auto ones = HostTensor<int, 1>::filled({4}, 1);
        const auto zeros = HostTensor<int, 1>::zeros({4});
        CHECK_THROWS_AS(static_cast<void>(engine.divide(ones, zeros)), tenure::ExecutionError);
        const auto sum = engine.add(ones, ones);
        CHECK(sum.map_read().host_data()[3] == 2);
      }
      fake.close();
    }
    tenure::set_log_sink({});
    CHECK(lines.empty());
  }

  TEST_CASE("shared memory is read through map_read, which is no transfer") {
    const auto fake = tenure::test::open("fake_shared");
    const auto domain = fake.domain("fake:0/managed-noncoherent");
    const auto matrix = matrix_64();
    const auto shared = tenure::upload(matrix.as_view(), domain);
    const auto id = shared.allocation_id();

    tenure::LedgerScope scope;
    CHECK_THROWS_AS((void)shared.host_data(), tenure::AccessError);
    CHECK(shared.map_read().host_data()[3] == 4);

    CHECK(scope.bytes_copied() == 0);
    CHECK(shared.allocation_id() == id);
  }
}
