// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/boundary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <type_traits>

namespace sdk = tenure::sdk;

namespace {

tenure_status status_of(const std::function<void()>& body) {
  auto status = tenure::abi::make_struct<tenure_status>();
  const std::int32_t code = sdk::boundary(&status, body);
  CHECK(code == status.code);
  return status;
}

[[noreturn]] void fail_here() {
  throw sdk::Error(TENURE_UNAVAILABLE, "the device is gone",
                   {.native_code = 46, .native_domain = "cuda", .flags = TENURE_STATUS_STICKY});
}

}  // namespace

TEST_CASE("boundary: success touches no byte of the status") {
  tenure_status status;
  std::memset(&status, 0xA5, sizeof status);
  tenure_status before;
  std::memcpy(&before, &status, sizeof status);

  CHECK(sdk::boundary(&status, [] {}) == TENURE_OK);
  CHECK(std::memcmp(&before, &status, sizeof status) == 0);
}

TEST_CASE("boundary: each kind of exception has its code") {
  CHECK(status_of([] { throw sdk::Error(TENURE_ABORTED, "m"); }).code == TENURE_ABORTED);
  CHECK(status_of([] { throw std::bad_alloc(); }).code == TENURE_RESOURCE_EXHAUSTED);
  CHECK(status_of([] { throw std::invalid_argument("m"); }).code == TENURE_INVALID_ARGUMENT);
  CHECK(status_of([] { throw std::out_of_range("m"); }).code == TENURE_OUT_OF_RANGE);
  CHECK(status_of([] { throw std::runtime_error("m"); }).code == TENURE_INTERNAL);
  CHECK(status_of([] { throw 42; }).code == TENURE_UNKNOWN);
}

TEST_CASE("boundary: an error of the system keeps its number and its domain") {
  const auto status = status_of([] { throw std::system_error(ENOENT, std::generic_category(), "opening"); });
  CHECK(status.code == TENURE_INTERNAL);
  CHECK(status.native_code == ENOENT);
  CHECK(std::string_view(status.native_domain) == "errno");

  const auto refused = status_of([] { throw std::system_error(EAGAIN, std::system_category()); });
  CHECK(refused.code == TENURE_RESOURCE_EXHAUSTED);
  CHECK(refused.native_code == EAGAIN);

  const auto future = status_of([] { throw std::future_error(std::future_errc::no_state); });
  CHECK(future.code == TENURE_INTERNAL);
}

TEST_CASE("boundary: an Error brings its code, native error, flags, message and place") {
  const auto status = status_of(fail_here);

  CHECK(status.code == TENURE_UNAVAILABLE);
  CHECK(status.native_code == 46);
  CHECK(std::string_view(status.native_domain) == "cuda");
  CHECK(status.flags == TENURE_STATUS_STICKY);
  CHECK(std::string_view(status.message) == "the device is gone");
  CHECK(std::string_view(status.site) == "boundary_test.cpp:fail_here");
  CHECK(status.line > 0);
}

TEST_CASE("boundary: the place of any other exception is where the boundary stands") {
  const auto status = status_of([] { throw std::bad_alloc(); });
  CHECK(std::string_view(status.site) == "boundary_test.cpp:status_of");
}

TEST_CASE("boundary: a message that does not fit is cut between two code points") {
  for (int offset = 0; offset < 4; ++offset) {
    CAPTURE(offset);
    const std::string prefix(static_cast<std::size_t>(offset), 'x');
    std::string text = prefix;
    while (text.size() < 1000) text += "\xF0\x9F\x8C\x8D";
    const auto status = status_of([&] { throw std::runtime_error(text); });

    const std::string message = status.message;
    CHECK(message.size() > sizeof status.message - 5);
    CHECK((message.size() - prefix.size()) % 4 == 0);
    CHECK(text.starts_with(message));
  }
}

TEST_CASE("boundary: a failure without a message says the code's name") {
  const auto status = status_of([] { throw sdk::Error(TENURE_DATA_LOSS, ""); });
  CHECK(std::string_view(status.message) == "DATA_LOSS");
}

TEST_CASE("boundary: a code outside the contract is an internal error") {
  for (const std::int32_t code : {0, -1, 17, 1000}) {
    CHECK(status_of([&] { throw sdk::Error(code, "m"); }).code == TENURE_INTERNAL);
  }
}

TEST_CASE("boundary: the caller may want no status") {
  CHECK(sdk::boundary(nullptr, fail_here) == TENURE_UNAVAILABLE);
}

TEST_CASE("boundary: a status of any length is filled as far as it goes") {
  for (std::uint32_t bytes = sizeof(tenure_head); bytes <= sizeof(tenure_status) + 8; bytes += 4) {
    CAPTURE(bytes);
    alignas(tenure_status) std::array<std::byte, sizeof(tenure_status) + 64> buffer;
    buffer.fill(std::byte{0xA5});
    auto* status = reinterpret_cast<tenure_status*>(buffer.data());
    status->head = tenure::abi::head_of<tenure_status>();
    status->head.bytes = bytes;

    CHECK(sdk::boundary(status, fail_here) == TENURE_UNAVAILABLE);
    CHECK(status->head.bytes == bytes);
    if (TENURE_HAS_MEMBER(status, tenure_status, code)) CHECK(status->code == TENURE_UNAVAILABLE);
    const std::size_t end = std::min<std::size_t>(bytes, sizeof(tenure_status));
    CHECK(std::all_of(buffer.begin() + static_cast<std::ptrdiff_t>(end), buffer.end(),
                      [](std::byte b) { return b == std::byte{0xA5}; }));
  }
}

TEST_CASE("Error: copying does not throw") {
  static_assert(std::is_nothrow_copy_constructible_v<sdk::Error>);
}

TEST_CASE("put_text: an empty text leaves an empty field") {
  char field[4] = {'a', 'b', 'c', 'd'};
  sdk::put_text(field, {});
  CHECK(field[0] == '\0');
}
