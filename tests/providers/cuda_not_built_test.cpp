// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <string>

TEST_CASE("cuda: a build without the provider says why in one sentence") {
  std::ifstream file(TENURE_CUDA_NOT_BUILT_FILE);
  std::string sentence, more;
  REQUIRE(std::getline(file, sentence));
  CHECK(sentence.starts_with("The CUDA provider was not built because "));
  CHECK(sentence.ends_with("."));
  CHECK_FALSE(std::getline(file, more));
}
