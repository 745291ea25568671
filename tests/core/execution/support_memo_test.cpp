// SPDX-License-Identifier: Apache-2.0
#include "execution/support_memo.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <vector>

#include "tenure/abi/operation_table.hpp"

using tenure::DType;
using tenure::SupportMemo;

TEST_CASE("SupportMemo: questions of other families, functions and element types are other numbers") {
  std::set<std::uint64_t> questions;
  std::size_t asked = 0;
  const auto ask = [&](std::uint32_t code, std::uint32_t function, std::span<const DType> dtypes) {
    const std::uint64_t question = SupportMemo::question(code, function, dtypes);
    CHECK(question != 0);
    questions.insert(question);
    ++asked;
  };
  for (std::uint32_t code = TENURE_OP_COPY; code <= TENURE_OP_LINALG; ++code) ask(code, 0, {});
  for (const auto& row : tenure::abi::function_table) {
    for (const auto& first : tenure::abi::dtype_table) {
      ask(TENURE_OP_PROGRAM, row.function, std::array{DType(first.dtype)});
      for (const auto& second : tenure::abi::dtype_table)
        ask(TENURE_OP_PROGRAM, row.function, std::array{DType(first.dtype), DType(second.dtype)});
    }
  }
  ask(TENURE_OP_PROGRAM, TENURE_FN_WHERE, std::array{tenure::boolean, tenure::f64, tenure::f64, tenure::f64});
  CHECK(questions.size() == asked);
}

TEST_CASE("SupportMemo: knows what it learned last in a place, and nothing else") {
  SupportMemo memo;
  const auto question = [](std::uint32_t function) {
    return SupportMemo::question(TENURE_OP_PROGRAM, function, std::array{tenure::f64, tenure::f64});
  };
  CHECK_FALSE(memo.knows(question(1)));
  for (std::uint32_t function = 1; function < 1000; ++function) {
    memo.learn(question(function));
    CHECK(memo.knows(question(function)));
    CHECK_FALSE(memo.knows(question(function + 1)));
  }
}

TEST_CASE("SupportMemo: a question of too many element types is not remembered") {
  SupportMemo memo;
  const std::vector<DType> dtypes(7, tenure::f32);
  const std::uint64_t question = SupportMemo::question(TENURE_OP_PROGRAM, TENURE_FN_ADD, dtypes);
  memo.learn(question);
  CHECK_FALSE(memo.knows(question));
}

TEST_CASE("SupportMemo: a function is known for the element types that it was learned for") {
  SupportMemo memo;
  for (const auto& learned : tenure::abi::dtype_table) {
    CHECK_FALSE(memo.knows_function(TENURE_FN_WHERE, DType(learned.dtype)));
    memo.learn_function(TENURE_FN_WHERE, DType(learned.dtype));
    CHECK(memo.knows_function(TENURE_FN_WHERE, DType(learned.dtype)));
    CHECK_FALSE(memo.knows_function(TENURE_FN_ADD, DType(learned.dtype)));
  }
}

TEST_CASE("SupportMemo: a family is known for the element types that it was learned for") {
  SupportMemo memo;
  memo.learn_family(TENURE_OP_CONTRACT, tenure::f64);
  CHECK(memo.knows_family(TENURE_OP_CONTRACT, tenure::f64));
  CHECK_FALSE(memo.knows_family(TENURE_OP_CONTRACT, tenure::f32));
  CHECK_FALSE(memo.knows_family(TENURE_OP_COPY, tenure::f64));
}
