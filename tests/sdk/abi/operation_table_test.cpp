// SPDX-License-Identifier: Apache-2.0
#include "tenure/abi/operation_table.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string_view>

#include "tenure/abi/code_name.hpp"
#include "tenure/abi/dtype.hpp"

namespace abi = tenure::abi;

TEST_CASE("dtype_table: names and codes are unique and sizes follow from the bits") {
  std::set<std::string_view> names;
  for (const abi::DtypeRow& row : abi::dtype_table) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(row.dtype.lanes == 1);
    CHECK(row.bytes * 8 == row.dtype.bits);
    CHECK(row.alignment_bytes * (abi::is_complex(row.dtype) ? 2 : 1) == row.bytes);
    CHECK(abi::find_dtype(row.dtype) == &row);
  }
}

TEST_CASE("dtype_table: a dtype belongs to exactly one class") {
  for (const abi::DtypeRow& row : abi::dtype_table) {
    CAPTURE(row.name);
    CHECK(abi::is_boolean(row.dtype) + abi::is_integer(row.dtype) + abi::is_floating(row.dtype) +
              abi::is_complex(row.dtype) ==
          1);
  }
}

TEST_CASE("find_dtype: vectors, odd widths and unknown codes are no dtypes") {
  CHECK(abi::find_dtype({TENURE_DTYPE_FLOAT, 32, 4}) == nullptr);
  CHECK(abi::find_dtype({TENURE_DTYPE_FLOAT, 80, 1}) == nullptr);
  CHECK(abi::find_dtype({TENURE_DTYPE_BOOL, 1, 1}) == nullptr);
  CHECK(abi::find_dtype({3, 64, 1}) == nullptr);
}

TEST_CASE("function_table: numbers and names are unique and every result is a dtype") {
  std::set<std::uint32_t> numbers;
  std::set<std::string_view> names;
  for (const abi::FunctionRow& row : abi::function_table) {
    CAPTURE(row.name);
    CHECK(numbers.insert(row.function).second);
    CHECK(names.insert(row.name).second);
    CHECK(abi::find_function(row.function) == &row);
    CHECK(row.arity >= 1);
    CHECK(row.arity <= 3);
    bool is_ever_supported = false;
    for (const abi::DtypeRow& operand : abi::dtype_table) {
      if ((abi::class_of(operand.dtype) & row.operand_classes) == 0) continue;
      is_ever_supported = true;
      CHECK(abi::find_dtype(abi::result_dtype(row, operand.dtype)) != nullptr);
    }
    CHECK(is_ever_supported);
  }
  CHECK(abi::find_function(0) == nullptr);
}

TEST_CASE("function_table: comparisons give bool and abs of a complex number gives its real type") {
  const tenure_dtype f64{TENURE_DTYPE_FLOAT, 64, 1};
  const tenure_dtype complex128{TENURE_DTYPE_COMPLEX, 128, 1};
  const tenure_dtype boolean{TENURE_DTYPE_BOOL, 8, 1};

  CHECK(abi::same_dtype(abi::result_dtype(*abi::find_function(TENURE_FN_LESS), f64), boolean));
  CHECK(abi::same_dtype(abi::result_dtype(*abi::find_function(TENURE_FN_ABS), complex128), f64));
  CHECK(abi::same_dtype(abi::result_dtype(*abi::find_function(TENURE_FN_ABS), f64), f64));
  CHECK((abi::find_function(TENURE_FN_LESS)->operand_classes & abi::class_complex) == 0);
}

TEST_CASE("reduction_table: everything but an extremum has a value for no elements") {
  for (const abi::ReductionRow& row : abi::reduction_table) {
    CAPTURE(row.name);
    CHECK(abi::find_reduction(row.function) == &row);
    const std::string_view name = row.name;
    const bool is_extremum = name.ends_with("max") || name.ends_with("min");
    CHECK(row.empty_is_defined == !is_extremum);
    for (const abi::DtypeRow& operand : abi::dtype_table) {
      if ((abi::class_of(operand.dtype) & row.operand_classes) == 0) continue;
      CHECK(abi::find_dtype(abi::result_dtype(row, operand.dtype)) != nullptr);
    }
  }
  const tenure_dtype complex64{TENURE_DTYPE_COMPLEX, 64, 1};
  CHECK(abi::same_dtype(abi::result_dtype(*abi::find_reduction(TENURE_REDUCE_NORM2), complex64),
                        {TENURE_DTYPE_FLOAT, 32, 1}));
  CHECK(abi::same_dtype(
      abi::result_dtype(*abi::find_reduction(TENURE_REDUCE_ARGMAX), {TENURE_DTYPE_UINT, 8, 1}),
      {TENURE_DTYPE_INT, 64, 1}));
  CHECK((abi::find_reduction(TENURE_REDUCE_MEAN)->operand_classes & abi::class_integer) == 0);
  CHECK(abi::find_reduction(0) == nullptr);
}

TEST_CASE("status_name: every code of the contract has its own name") {
  std::set<std::string_view> names;
  for (std::int32_t code = TENURE_OK; code <= TENURE_UNAUTHENTICATED; ++code) {
    CHECK(abi::is_status_code(code));
    CHECK(names.insert(abi::status_name(code)).second);
  }
  CHECK(abi::status_name(TENURE_RESOURCE_EXHAUSTED) == "RESOURCE_EXHAUSTED");
  CHECK(abi::status_name(-1) == "UNKNOWN");
  CHECK_FALSE(abi::is_status_code(17));
}
