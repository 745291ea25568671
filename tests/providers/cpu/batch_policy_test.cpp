// SPDX-License-Identifier: Apache-2.0
// The policies of a batch, and threads that engines share.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "box.hpp"
#include "cpu_plugin.hpp"

namespace cpu_test {
namespace {

constexpr std::uint32_t forced_policies[] = {TENURE_BATCH_SEQUENTIAL, TENURE_BATCH_OUTER, TENURE_BATCH_INNER};

// Products of m x k and k x n matrices, one for each index of the last axis.
struct Products {
  Products(Random& random, const char* dtype, std::int64_t m, std::int64_t k, std::int64_t n,
           std::int64_t count)
      : left(random, dtype_named(dtype), {m, k, count}),
        right(random, dtype_named(dtype), {k, n, count}, Layout::permuted),
        out(random, dtype_named(dtype), {m, n, count}, Layout::permuted) {
    for (Box* const box : {&left, &right}) {
      for (std::int64_t i = 0; i < box->count(); ++i) {
        box->set(i, {static_cast<long double>(pick(random, -9, 9)), 0});
      }
    }
  }

  Outcome run(const Engine& engine, std::uint32_t batch_policy) const {
    constexpr std::uint32_t first = 0, second = 1, last = 2;
    auto attributes = tenure::abi::make_struct<tenure_contract_attributes>();
    attributes.contracted_count = attributes.batch_count = 1;
    attributes.left_contracted = &second;
    attributes.right_contracted = &first;
    attributes.left_batch = attributes.right_batch = &last;
    for (tenure_scalar* const scalar : {&attributes.alpha, &attributes.beta})
      scalar->dtype = to_abi(out.dtype());
    write_number(out.dtype(), {1, 0}, reinterpret_cast<std::byte*>(attributes.alpha.value));
    return engine.execute(TENURE_OP_CONTRACT, std::array{left.operand(1), right.operand(1), out.operand(2)},
                          &attributes, batch_policy);
  }

  Box left, right, out;
};

// The bits of the result, after a success.
std::vector<std::byte> result_of(Products& products, const Engine& engine, std::uint32_t batch_policy) {
  for (std::int64_t i = 0; i < products.out.count(); ++i) products.out.set(i, {0, 0});
  const Outcome outcome = products.run(engine, batch_policy);
  INFO(outcome.message);
  REQUIRE(outcome.code == TENURE_OK);
  return products.out.bytes();
}

void check_refused(const Products& products, const Engine& engine, std::uint32_t batch_policy,
                   std::int32_t code, const char* reason) {
  const std::vector<std::byte> before = products.out.bytes();
  const Outcome outcome = products.run(engine, batch_policy);
  CAPTURE(outcome.message);
  CHECK(outcome.code == code);
  CHECK(outcome.message.find(reason) != std::string::npos);
  CHECK(products.out.bytes() == before);
}

}  // namespace

TEST_CASE("BatchPolicy: products have the same bits under every policy") {
  Random random(1);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 3);
  for (const char* const dtype : {"f64", "complex64", "i32"}) {
    CAPTURE(dtype);
    Products products(random, dtype, 270, 40, 140, 3);
    const std::vector<std::byte> expected = result_of(products, serial, TENURE_BATCH_AUTO);
    CHECK(result_of(products, serial, TENURE_BATCH_SEQUENTIAL) == expected);
    for (const std::uint32_t policy : forced_policies) {
      CHECK(result_of(products, parallel, policy) == expected);
    }
    Products small(random, dtype, 5, 6, 7, 40);
    const std::vector<std::byte> expected_of_small = result_of(small, serial, TENURE_BATCH_AUTO);
    CHECK(result_of(small, parallel, TENURE_BATCH_SEQUENTIAL) == expected_of_small);
    CHECK(result_of(small, parallel, TENURE_BATCH_OUTER) == expected_of_small);
  }
}

TEST_CASE("BatchPolicy: what cannot be done is refused in words, and nothing is written") {
  Random random(2);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  const Products small(random, "f64", 5, 6, 7, 3);
  check_refused(small, serial, TENURE_BATCH_OUTER, TENURE_UNIMPLEMENTED, "parallel engine");
  check_refused(small, serial, TENURE_BATCH_INNER, TENURE_UNIMPLEMENTED, "parallel engine");
  check_refused(small, parallel, TENURE_BATCH_INNER, TENURE_UNIMPLEMENTED, "not divided");
  check_refused(small, parallel, 9, TENURE_INVALID_ARGUMENT, "batch policy 9");
  const Products large(random, "f64", 270, 40, 140, 1);
  check_refused(large, parallel, TENURE_BATCH_OUTER, TENURE_UNIMPLEMENTED, "one item");
}

TEST_CASE("BatchPolicy: matrices of linear algebra are items that one thread computes") {
  Random random(3);
  const Instance instance;
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  const Box a(random, dtype_named("f64"), {3, 3, 4});
  Box q(random, dtype_named("f64"), {3, 3, 4});
  Box r(random, dtype_named("f64"), {3, 3, 4});
  auto attributes = tenure::abi::make_struct<tenure_linalg_attributes>();
  attributes.function = TENURE_LINALG_QR;
  const std::array operands{a.operand(1), q.operand(2), r.operand(2)};
  REQUIRE(parallel.execute(TENURE_OP_LINALG, operands, &attributes).code == TENURE_OK);
  const std::vector<std::byte> expected = r.bytes();
  for (const std::uint32_t policy : {TENURE_BATCH_SEQUENTIAL, TENURE_BATCH_OUTER}) {
    REQUIRE(parallel.execute(TENURE_OP_LINALG, operands, &attributes, policy).code == TENURE_OK);
    CHECK(r.bytes() == expected);
  }
  const Outcome inner = parallel.execute(TENURE_OP_LINALG, operands, &attributes, TENURE_BATCH_INNER);
  CHECK(inner.code == TENURE_UNIMPLEMENTED);
  CHECK(inner.message.find("qr") != std::string::npos);
}

TEST_CASE("Engine: threads may be shared, also after the engine that made them has ended") {
  Random random(4);
  const Instance instance;
  auto first = std::make_unique<Engine>(instance, TENURE_ENGINE_PARALLEL, 2);
  const Engine second(instance, TENURE_ENGINE_PARALLEL, 0, first.get());
  const Engine third(instance, TENURE_ENGINE_PARALLEL, 2, &second);
  Products for_first(random, "f64", 270, 20, 140, 4), for_second(random, "f64", 270, 20, 140, 4);
  const auto expected_of_first = result_of(for_first, third, TENURE_BATCH_SEQUENTIAL);
  const auto expected_of_second = result_of(for_second, third, TENURE_BATCH_SEQUENTIAL);
  {
    const std::jthread other([&] {
      for (int round = 0; round < 20; ++round) for_first.run(*first, TENURE_BATCH_OUTER);
    });
    for (int round = 0; round < 20; ++round) for_second.run(second, TENURE_BATCH_INNER);
  }
  CHECK(for_first.out.bytes() == expected_of_first);
  CHECK(for_second.out.bytes() == expected_of_second);
  first.reset();
  CHECK(result_of(for_second, second, TENURE_BATCH_OUTER) == expected_of_second);
}

TEST_CASE("Engine: threads are shared among parallel engines, and all of them or none") {
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 2);
  const auto refused = [&](std::uint32_t mode, std::uint32_t threads, const Engine& other,
                           const char* reason) {
    try {
      const Engine engine(instance, mode, threads, &other);
      FAIL_CHECK("an engine was made");
    } catch (const std::runtime_error& error) {
      CAPTURE(error.what());
      CHECK(std::string(error.what()).find(reason) != std::string::npos);
    }
  };
  refused(TENURE_ENGINE_PARALLEL, 0, serial, "the other one is serial");
  refused(TENURE_ENGINE_SERIAL, 0, parallel, "the new one is serial");
  refused(TENURE_ENGINE_PARALLEL, 3, parallel, "the other one has 2");
}

}  // namespace cpu_test
