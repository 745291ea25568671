// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/access_error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using tenure::AccessError;

TEST_CASE("AccessError: the message is made of what was wanted, found and advised, which are fields too") {
  const AccessError error(AccessError::Kind::mapped, "map_read",
                          {"to read the memory", "a write map", "let it end first"});
  CHECK(std::string(error.what()) ==
        "map_read: wanted to read the memory, found a write map; let it end first");
  CHECK(error.code() == tenure::ErrorCode::access);
  CHECK(error.kind() == AccessError::Kind::mapped);
  CHECK(error.wanted() == "to read the memory");
  CHECK(error.found() == "a write map");
  CHECK(error.advice() == "let it end first");
}

TEST_CASE("access_error_kind_name: every kind has its name and an unknown number is unknown") {
  CHECK(tenure::access_error_kind_name(AccessError::Kind::not_host_accessible) == "not_host_accessible");
  CHECK(tenure::access_error_kind_name(AccessError::Kind::unsupported) == "unsupported");
  CHECK(tenure::access_error_kind_name(static_cast<AccessError::Kind>(99)) == "unknown");
}

static_assert(std::is_nothrow_copy_constructible_v<AccessError> && std::is_final_v<AccessError>);
