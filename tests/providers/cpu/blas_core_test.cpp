// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>

extern "C" {
char* gotoblas_corename();
int support_avx2();
}

TEST_CASE("Blas core: the kernels use what the processor has, whatever its model number") {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) {
    MESSAGE("not checked: OPENBLAS_CORETYPE names the core");
    return;
  }
  const std::string core = gotoblas_corename();
  CAPTURE(core);
  if (support_avx2() != 0)
    CHECK(std::set<std::string>{"Haswell", "Zen", "Excavator", "SkylakeX", "Cooperlake"}.contains(core));
}

TEST_CASE("Blas core: the environment is read as it is") {
  CHECK(std::getenv("PATH") != nullptr);
  CHECK(std::getenv("TENURE_NO_SUCH_VARIABLE") == nullptr);
}
