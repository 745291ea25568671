// SPDX-License-Identifier: Apache-2.0
#include "cuda_driver.hpp"

#include <doctest/doctest.h>

#include "cuda_availability.hpp"

using tenure::cuda::ask_driver;
using tenure::cuda::DriverAnswer;

TEST_CASE("cuda driver: it is asked for its version and for nothing that starts it") {
  const DriverAnswer answer = ask_driver(TENURE_NEW_DRIVER);
  CHECK(answer.is_found);
  CHECK(answer.error == 0);
  CHECK(answer.version == 13000);
  CHECK(ask_driver(TENURE_OLD_DRIVER).version == 11040);
}

TEST_CASE("cuda driver: a library that is not there or is none of a driver is no driver") {
  CHECK_FALSE(ask_driver("/nowhere/libcuda.so.1").is_found);
  CHECK_FALSE(ask_driver("libm.so.6").is_found);
}

TEST_CASE("cuda driver: the error of a stub is passed on") {
  const DriverAnswer answer = ask_driver(TENURE_STUB_DRIVER);
  CHECK(answer.is_found);
  CHECK(answer.error == 34);
  CHECK(tenure::cuda::explain(answer, 13000).find("stub") != std::string::npos);
}
