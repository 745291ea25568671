// SPDX-License-Identifier: Apache-2.0
#include "sdk/c_provider.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tenure/abi/struct_head.hpp"

namespace {

// A copy of bytes between two arrays, with a box of the test's choice.
struct ByteCopy {
  std::array<std::int64_t, 2> extents{};
  std::array<std::int64_t, 2> strides{};
  std::array<char, 4> source{'a', 'b', 'c', 'd'};
  std::array<char, 4> target{};
  tenure_copy_desc desc = tenure::abi::make_struct<tenure_copy_desc>();
  tenure_status status = tenure::abi::make_struct<tenure_status>();

  ByteCopy(std::int64_t first, std::int64_t second) : extents{first, second}, strides{1, first} {
    desc.source.address = source.data();
    desc.source.strides = strides.data();
    desc.target.address = target.data();
    desc.extents = extents.data();
    desc.rank = 2;
    desc.element_bytes = 1;
  }
};

}  // namespace

TEST_CASE("provider.h: a compact copy moves its bytes") {
  ByteCopy copy(2, 2);
  CHECK(copy_host_memory(&copy.desc, &copy.status) == TENURE_OK);
  CHECK(copy.target == copy.source);
}

TEST_CASE(
    "provider.h: a box that is larger than any memory is refused before its bytes are counted wrongly") {
  for (const std::int64_t extent : {std::int64_t{1} << 32, INT64_MAX, std::int64_t{-1}}) {
    CAPTURE(extent);
    ByteCopy copy(extent, extent);
    CHECK(copy_host_memory(&copy.desc, &copy.status) == TENURE_INVALID_ARGUMENT);
    CHECK(std::string_view(copy.status.message) == "the box is larger than any memory");
    CHECK(copy.target == std::array<char, 4>{});
  }
}

TEST_CASE("provider.h: whether a box is compact is answered also where its size overflows") {
  ByteCopy copy(std::int64_t{1} << 40, std::int64_t{1} << 40);
  CHECK(is_compact_source(&copy.desc) == 0);
  ByteCopy small(2, 2);
  CHECK(is_compact_source(&small.desc) == 1);
  small.strides[1] = 3;
  CHECK(is_compact_source(&small.desc) == 0);
}

TEST_CASE("provider.h: the site of a failure names the file and the function") {
  auto status = tenure::abi::make_struct<tenure_status>();
  CHECK(fail_in_c(&status, "it is over") == TENURE_ABORTED);
  CHECK(std::string_view(status.site) == "c_provider.c:fail_in_c");
  CHECK(std::string_view(status.message) == "it is over");
  CHECK(status.line != 0);
  CHECK(a_function_whose_name_is_longer_than_the_field_for_it(&status) == TENURE_ABORTED);
  CHECK(std::string_view(status.site) == "c_provider.c:a_function_whose_name_is_longer_th");
  CHECK(fail_in_c(nullptr, "nobody listens") == TENURE_ABORTED);
}

TEST_CASE("provider.h: a message that does not fit ends at a whole code point") {
  auto status = tenure::abi::make_struct<tenure_status>();
  std::string message(sizeof status.message - 2, 'x');
  message += "\u00e4\u00e4";
  fail_in_c(&status, message.c_str());
  CHECK(std::string_view(status.message) == std::string(sizeof status.message - 2, 'x'));
}
