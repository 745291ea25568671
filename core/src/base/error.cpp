// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/error.hpp"

#include <array>

namespace tenure::inline TENURE_BUILD {

struct Error::Text {
  std::string operation;
  std::string message;
  std::string what;
};

std::string_view error_code_name(ErrorCode code) noexcept {
  constexpr std::array<std::string_view, 13> names{
      "unknown",       "validation", "access",   "group",     "disjoint", "borrow",     "version",
      "out_of_memory", "load",       "provider", "execution", "transfer", "empty_owner"};
  const auto index = static_cast<std::size_t>(code);
  return index < names.size() ? names[index] : names[0];
}

Error::Error(ErrorCode code, std::string operation, std::string message, std::shared_ptr<const Error> cause)
    : code_(code), cause_(std::move(cause)) {
  std::string what = operation + ": " + message;
  if (cause_) what += std::string("\n  because ") + cause_->what();
  text_ = std::make_shared<const Text>(Text{std::move(operation), std::move(message), std::move(what)});
}

Error::~Error() = default;
Error::Error(const Error&) noexcept = default;
Error& Error::operator=(const Error&) noexcept = default;

std::string_view Error::operation() const noexcept { return text_->operation; }
std::string_view Error::message() const noexcept { return text_->message; }
const char* Error::what() const noexcept { return text_->what.c_str(); }

}  // namespace tenure::inline TENURE_BUILD
