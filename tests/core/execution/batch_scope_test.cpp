// SPDX-License-Identifier: Apache-2.0
// Batch policies of a thread, and engines that share threads.
#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/providers.hpp"
#include "tenure/tenure.hpp"

namespace {

using tenure::BatchPolicy;
using tenure::BatchScope;
using tenure::EngineMode;

tenure::Tensor counting(std::vector<std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 7);
  return tenure::Tensor::from_vec_col_major<double>(extents, std::move(values));
}

const tenure::ContractOptions products{
    .left_contracted = {1}, .right_contracted = {0}, .left_batch = {2}, .right_batch = {2}};

bool is_refused(const tenure::Engine& engine, const tenure::Tensor& a) {
  try {
    (void)engine.contract(a, a, products);
    return false;
  } catch (const tenure::ExecutionError& error) {
    CHECK(error.kind() == tenure::ExecutionError::Kind::unsupported);
    return true;
  }
}

}  // namespace

TEST_SUITE("execution/batch_scope") {
  TEST_CASE("a batch policy changes no result") {
    const auto engine = tenure::test::open("cpu").engine({.mode = EngineMode::parallel, .threads = 2});
    const auto a = counting({150, 150, 3});
    const auto expected = engine.contract(a, a, products).to_vec_col_major<double>();
    for (const BatchPolicy policy :
         {BatchPolicy::automatic, BatchPolicy::sequential, BatchPolicy::outer, BatchPolicy::inner}) {
      const BatchScope scope(engine, policy);
      CHECK(engine.contract(a, a, products).to_vec_col_major<double>() == expected);
    }
  }

  TEST_CASE("a policy that a serial engine cannot follow is a typed error that says why and loses nothing") {
    const auto engine = tenure::test::open("cpu").engine({});
    const auto a = counting({2, 2, 3});
    auto out = counting({2, 2, 3});
    const auto before = out.to_vec_col_major<double>();
    const BatchScope scope(engine, BatchPolicy::outer);

    CHECK_THROWS_AS(engine.contract_into(a, a, products, out), tenure::ExecutionError);
    CHECK(out.to_vec_col_major<double>() == before);
    try {
      (void)engine.contract(a, a, products);
      FAIL_CHECK("a serial engine did several products at once");
    } catch (const tenure::ExecutionError& error) {
      CHECK(error.kind() == tenure::ExecutionError::Kind::unsupported);
      CHECK(std::string(error.what()).find("use a parallel engine") != std::string::npos);
    }
    CHECK(engine.pool_statistics().live_count == 0);
    // What has no batch does not mind.
    CHECK(engine.add(a, a).to_vec_col_major<double>()[3] == 6);
  }

  TEST_CASE("scopes nest and end, and concern one engine on one thread") {
    const auto instance = tenure::test::open("cpu");
    auto engine = std::make_optional(instance.engine({}));
    const auto other = instance.engine({});
    const auto a = counting({2, 2, 3});
    {
      const BatchScope scope(*engine, BatchPolicy::outer);
      CHECK(is_refused(*engine, a));
      CHECK_FALSE(is_refused(other, a));
      {
        const BatchScope inside(*engine, BatchPolicy::automatic);
        const BatchScope of_other(other, BatchPolicy::inner);
        CHECK_FALSE(is_refused(*engine, a));
        CHECK(is_refused(other, a));
      }
      CHECK(is_refused(*engine, a));
      bool is_refused_there = true;
      std::thread([&] { is_refused_there = is_refused(*engine, a); }).join();
      CHECK_FALSE(is_refused_there);

      const tenure::Engine moved = std::move(*engine);
      CHECK(is_refused(moved, a));
      CHECK_THROWS_AS(BatchScope(*engine, BatchPolicy::outer), tenure::EmptyOwner);
      engine = std::nullopt;
    }
    CHECK_THROWS_AS(BatchScope(other, static_cast<BatchPolicy>(4)), tenure::ValidationError);
    CHECK_FALSE(is_refused(other, a));
  }

  TEST_CASE("engines of one instance may share threads") {
    const auto instance = tenure::test::open("cpu");
    auto first = std::make_optional(instance.engine({.mode = EngineMode::parallel, .threads = 2}));
    const auto second = instance.engine({.mode = EngineMode::parallel, .threads_of = &*first});
    const auto a = counting({1 << 18});
    const auto expected = first->add(a, a).to_vec_col_major<double>();
    first.reset();
    CHECK(second.add(a, a).to_vec_col_major<double>() == expected);
  }

  TEST_CASE("threads are not shared with a serial engine, one of another instance or none") {
    const auto instance = tenure::test::open("cpu");
    auto serial = instance.engine({});
    CHECK_THROWS_AS((void)instance.engine({.mode = EngineMode::parallel, .threads_of = &serial}),
                    tenure::ProviderError);
    const auto stranger = tenure::test::open("cpu").engine({.mode = EngineMode::parallel, .threads = 2});
    CHECK_THROWS_AS((void)instance.engine({.mode = EngineMode::parallel, .threads_of = &stranger}),
                    tenure::ValidationError);
    const auto moved = std::move(serial);
    CHECK_THROWS_AS((void)instance.engine({.mode = EngineMode::parallel, .threads_of = &serial}),
                    tenure::EmptyOwner);
  }
}
