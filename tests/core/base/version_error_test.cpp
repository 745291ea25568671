// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/version_error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using tenure::VersionError;

TEST_CASE("VersionError: a change names both versions and what to do, which are fields too") {
  const VersionError error("SavedTensor::unpack", 3, 5);
  CHECK(std::string(error.what()) ==
        "SavedTensor::unpack: wanted the elements as they were saved, at version 3, found version 5: they "
        "have been changed in place since; save a clone() of it, or change a clone() of it in place");
  CHECK(error.code() == tenure::ErrorCode::version);
  CHECK(error.kind() == VersionError::Kind::changed);
  CHECK(error.saved_version() == 3);
  CHECK(error.current_version() == 5);
  CHECK(error.advice() == "save a clone() of it, or change a clone() of it in place");
}

TEST_CASE("VersionError: a tensor without a counter has its own kind and advice") {
  const VersionError error("version");
  CHECK(error.kind() == VersionError::Kind::not_counted);
  CHECK(error.saved_version() == 0);
  CHECK(error.current_version() == 0);
  CHECK(std::string(error.what()) ==
        "version: wanted a tensor whose changes are counted, found one made in an inference scope; use a "
        "clone() made outside of every inference scope, or change it inside of one");
  CHECK(std::string(error.what()).ends_with(error.advice()));
}

static_assert(std::is_nothrow_copy_constructible_v<VersionError> &&
              std::is_nothrow_copy_assignable_v<VersionError> && std::is_final_v<VersionError>);
