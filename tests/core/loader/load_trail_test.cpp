// SPDX-License-Identifier: Apache-2.0
#include "loader/load_trail.hpp"

#include <doctest/doctest.h>

using tenure::LoadStage;
using tenure::trail_wants;

TEST_CASE("trail_wants: all stages, those that are listed, or none") {
  CHECK(trail_wants("all", LoadStage::policy));
  CHECK(trail_wants("policy,dependencies", LoadStage::policy));
  CHECK(trail_wants("policy,dependencies", LoadStage::dependencies));
  CHECK_FALSE(trail_wants("policy,dependencies", LoadStage::note));
  CHECK_FALSE(trail_wants("pol", LoadStage::policy));
  CHECK_FALSE(trail_wants("", LoadStage::policy));
}

TEST_CASE("load_stage_name: every stage has its name") {
  CHECK(tenure::load_stage_name(LoadStage::path) == "path");
  CHECK(tenure::load_stage_name(LoadStage::publish) == "publish");
  CHECK(tenure::load_stage_name(static_cast<LoadStage>(99)) == "unknown");
}
