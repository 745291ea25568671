// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cpu_plugin.hpp"
#include "element.hpp"

namespace cpu_test {
namespace {

// Copies enough for every thread to take part.
bool copies_in_parallel(const Engine& engine) {
  constexpr std::int64_t count = 1 << 20;
  std::vector<double> in(count), out(count);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i);
  constexpr std::int64_t stride = 1;
  auto operand = tenure::abi::make_struct<tenure_operand>();
  operand.extents = &count;
  operand.strides = &stride;
  operand.rank = 1;
  operand.dtype = to_abi(dtype_named("f64"));
  std::array operands{operand, operand};
  operands[0].address = in.data();
  operands[1].address = out.data();
  return engine.execute(TENURE_OP_COPY, operands).code == TENURE_OK && in == out;
}

}  // namespace

TEST_CASE("Parallel: the last close ends the threads, and the next open starts new ones") {
  for (int round = 0; round < 3; ++round) {
    const Instance first, second;
    const Engine one(first, TENURE_ENGINE_PARALLEL, 2), other(second, TENURE_ENGINE_PARALLEL, 2);
    CHECK(copies_in_parallel(one));
    CHECK(copies_in_parallel(other));
  }
}

TEST_CASE("Parallel: a process may exit while an instance with a parallel engine is open") {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    static const Instance* const instance = new Instance;
    static const Engine* const engine = new Engine(*instance, TENURE_ENGINE_PARALLEL, 2);
    std::exit(copies_in_parallel(*engine) ? 42 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
}

}  // namespace cpu_test
