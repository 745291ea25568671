// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/transfer_error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using tenure::TransferError;

TEST_CASE("TransferError: names both ends, what was found and the explicit path") {
  const TransferError error("upload", {"host", "cuda:0/device"}, "no such copy", "go by cuda:0/pinned");
  CHECK(error.source() == "host");
  CHECK(error.target() == "cuda:0/device");
  CHECK(error.code() == tenure::ErrorCode::transfer);
  CHECK(std::string(error.what()) ==
        "upload: wanted a copy from host to cuda:0/device, found no such copy; go by cuda:0/pinned");
}

static_assert(std::is_nothrow_copy_constructible_v<TransferError> && std::is_final_v<TransferError>);
