// SPDX-License-Identifier: Apache-2.0
#include "child_result.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>

#include "child_process.hpp"

namespace tenure::probe {

namespace {

// A message is the number of bytes of the rest, the token, and JSON.
using Length = std::uint32_t;

std::string framed(std::string_view token, std::string_view content) {
  const auto length = static_cast<Length>(token.size() + content.size());
  std::string message(sizeof length, '\0');
  std::memcpy(message.data(), &length, sizeof length);
  return message.append(token).append(content);
}

}  // namespace

std::string make_result_token() {
  std::random_device source;
  std::string token;
  for (int i = 0; i < 16; ++i) token += static_cast<char>('a' + source() % 26);
  return token;
}

void send_result(std::string_view token, const nlohmann::ordered_json& content) {
  static std::mutex first_caller;
  first_caller.lock();  // never unlocked: the process ends soon, and one message is all there is
  const std::string message =
      framed(token, content.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::string_view rest = message;
  while (!rest.empty()) {
    const ssize_t count = ::write(result_descriptor, rest.data(), rest.size());
    if (count < 0 && errno != EINTR) ::_exit(1);  // the parent sees that a message is missing
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::optional<nlohmann::ordered_json> read_result(std::string_view token, std::string_view bytes) {
  Length length = 0;
  if (bytes.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (bytes.size() != length || !bytes.starts_with(token)) return std::nullopt;
  auto content = nlohmann::ordered_json::parse(bytes.substr(token.size()), nullptr, false);
  if (content.is_discarded()) return std::nullopt;
  return content;
}

}  // namespace tenure::probe
