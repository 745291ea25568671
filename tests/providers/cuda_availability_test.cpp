// SPDX-License-Identifier: Apache-2.0
#include "cuda_availability.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tenure/provider_abi.h"

using tenure::cuda::explain;
using tenure::cuda::RuntimeAnswer;

namespace {

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("cuda availability: a machine without a driver is told which library is missing") {
  const std::string reason =
      explain({.error = 35, .error_name = "cudaErrorInsufficientDriver", .runtime_version = 13000});
  CHECK(has(reason, "no NVIDIA driver (libcuda.so.1) on this machine"));
}

TEST_CASE("cuda availability: a driver that is too old is named with both versions") {
  const std::string reason = explain({.error = 35,
                                      .error_name = "cudaErrorInsufficientDriver",
                                      .driver_version = 11040,
                                      .runtime_version = 13000});
  CHECK(has(reason, "supports CUDA 11.4"));
  CHECK(has(reason, "needs CUDA 13.0"));
  CHECK_FALSE(has(reason, "libcuda.so.1"));
}

TEST_CASE("cuda availability: the toolkit's stub library is not taken for a driver") {
  CHECK(has(explain({.error = 34, .error_name = "cudaErrorStubLibrary", .driver_version = 13000}), "stub"));
}

TEST_CASE("cuda availability: a driver without a device names the variable that may hide it") {
  CHECK(has(explain({.error = 100, .error_name = "cudaErrorNoDevice", .driver_version = 13000}),
            "CUDA_VISIBLE_DEVICES"));
}

TEST_CASE("cuda availability: any other error is given by number and name") {
  CHECK(has(explain({.error = 804, .error_name = "cudaErrorCompatNotSupportedOnDevice"}),
            "error 804 (cudaErrorCompatNotSupportedOnDevice)"));
}

TEST_CASE("cuda availability: where CUDA works this version says that it has no domains") {
  const std::string reason = explain({.device_count = 2, .driver_version = 13000, .runtime_version = 13000});
  CHECK(has(reason, "no CUDA domains yet"));
  CHECK(has(reason, "2 CUDA devices"));
}

TEST_CASE("cuda availability: every reason fits where the contract puts it") {
  for (int error = 0; error < 1000; ++error) {
    for (const int driver_version : {0, 13000}) {
      const std::string reason = explain({.error = error,
                                          .error_name = "cudaErrorCompatNotSupportedOnDevice",
                                          .device_count = 16,
                                          .driver_version = driver_version,
                                          .runtime_version = 13000});
      CHECK_FALSE(reason.empty());
      CHECK(reason.size() < sizeof(tenure_availability::reason));
    }
  }
}
