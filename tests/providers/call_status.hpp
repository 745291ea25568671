// SPDX-License-Identifier: Apache-2.0
// call_status: the status of one call across the contract, readable in a failed check.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tenure/abi/code_name.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_abi.h"

namespace tenure_test {

class CallStatus {
 public:
  tenure_status* get() noexcept { return &status_; }
  std::int32_t code() const noexcept { return status_.code; }
  std::string message() const { return status_.message; }
  std::string site() const { return status_.site; }
  std::uint32_t flags() const noexcept { return status_.flags; }
  bool says(const std::string& words) const { return message().find(words) != std::string::npos; }

 private:
  tenure_status status_ = tenure::abi::make_struct<tenure_status>();
};

}  // namespace tenure_test

// The call answers OK; otherwise its message is printed and the test case ends.
#define REQUIRE_OK(status, ...)                                             \
  do {                                                                      \
    const std::int32_t code_of_call = (__VA_ARGS__);                        \
    INFO(tenure::abi::status_name(code_of_call), ": ", (status).message()); \
    REQUIRE(code_of_call == TENURE_OK);                                     \
  } while (false)

// The call answers `wanted`, fills the status with the same code, and the message has `words`.
#define CHECK_REFUSED(wanted, words, status, ...)                           \
  do {                                                                      \
    const std::int32_t code_of_call = (__VA_ARGS__);                        \
    INFO(tenure::abi::status_name(code_of_call), ": ", (status).message()); \
    CHECK(code_of_call == (wanted));                                        \
    CHECK((status).code() == code_of_call);                                 \
    CHECK((status).says(words));                                            \
  } while (false)
