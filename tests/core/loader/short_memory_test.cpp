// SPDX-License-Identifier: Apache-2.0
// What a load says when the process is short of memory.
#include <doctest/doctest.h>

#include <new>
#include <string>

#include "fixtures.hpp"
#include "support/heap_blocks.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/loader/load_error.hpp"
#include "tenure/loader/registry.hpp"

using namespace tenure;
using namespace tenure_test;

TEST_CASE("Registry::load: a block that cannot be had is OutOfMemory, never a fault of the file") {
  const std::filesystem::path path = fixture("good");
  const LoadOptions options{.policy = PathPolicy::off, .alias = {}};
  std::int64_t shortages = 0;
  bool is_loaded = false;
  for (std::int64_t given = 0; !is_loaded && given < 20000; ++given) {
    Registry registry;
    std::string found = "success";
    refused_block = given;
    try {
      (void)registry.load(path, options);
      is_loaded = refused_block >= 0;  // nothing was refused
    } catch (const OutOfMemory& error) {
      found = error.operation();
      ++shortages;
    } catch (const LoadError& error) {
      found = error.what();
    }
    refused_block = -1;
    CAPTURE(given);
    REQUIRE((found == "success" || found == "Registry::load"));
  }
  CHECK(is_loaded);
  CHECK(shortages > 10);
}
