// SPDX-License-Identifier: Apache-2.0
// boundary: the way out of provider code, where an exception becomes a code and a status.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <source_location>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "tenure/abi/code_name.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_abi.h"
#include "tenure/sdk/error.hpp"
#include "tenure/sdk/text.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// "file.cpp:function" of a location, into a field of a status. The compiler's function name is a whole
// signature, of which only the name is kept.
template <std::size_t N>
void put_site(char (&field)[N], const std::source_location& where) noexcept {
  std::string_view file = where.file_name();
  file.remove_prefix(std::min(file.size(), file.rfind('/') + 1));
  std::string_view function = where.function_name();
  std::size_t end = function.find('(');
  // Clang writes "(anonymous namespace)::" before the name.
  while (end != std::string_view::npos && function.substr(end).starts_with("(anonymous")) {
    end = function.find('(', end + 1);
  }
  function = function.substr(0, end);
  function.remove_prefix(function.find_last_of(" :*&") + 1);

  char site[256];
  const std::size_t file_bytes = std::min(file.size(), sizeof site / 2);
  const std::size_t function_bytes = std::min(function.size(), sizeof site / 2 - 1);
  std::memcpy(site, file.data(), file_bytes);
  site[file_bytes] = ':';
  std::memcpy(site + file_bytes + 1, function.data(), function_bytes);
  put_text(field, {site, file_bytes + 1 + function_bytes});
}

// Fills the caller's status, which may be null or shorter than ours, and returns the code that was put
// there: a number outside the contract's list, or OK, becomes INTERNAL.
inline std::int32_t report(tenure_status* status, std::int32_t code, std::string_view message,
                           const ErrorDetail& detail, const std::source_location& where) noexcept {
  if (code == TENURE_OK || !abi::is_status_code(code)) code = TENURE_INTERNAL;
  if (status == nullptr) return code;
  auto filled = abi::make_struct<tenure_status>();
  filled.head = status->head;
  filled.code = code;
  filled.native_code = detail.native_code;
  filled.flags = detail.flags;
  filled.line = where.line();
  put_text(filled.native_domain, detail.native_domain);
  put_site(filled.site, where);
  put_text(filled.message, message.empty() ? abi::status_name(code) : message);
  std::memcpy(static_cast<void*>(status), &filled, std::min<std::size_t>(status->head.bytes, sizeof filled));
  return code;
}

// Reports the exception that is being handled; call it in a catch block only. `where` is the site of
// everything but an Error, which knows its own.
inline std::int32_t report_exception(tenure_status* status, const std::source_location& where) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return report(status, error.code(), error.what(), error.detail(), error.where());
  } catch (const std::bad_alloc&) {
    return report(status, TENURE_RESOURCE_EXHAUSTED, "the provider ran out of host memory", {}, where);
  } catch (const std::invalid_argument& error) {
    return report(status, TENURE_INVALID_ARGUMENT, error.what(), {}, where);
  } catch (const std::out_of_range& error) {
    return report(status, TENURE_OUT_OF_RANGE, error.what(), {}, where);
  } catch (const std::system_error& error) {
    const bool is_errno = error.code().category() == std::system_category() ||
                          error.code().category() == std::generic_category();
    // How the system refuses threads and memory.
    const bool is_short = error.code() == std::errc::resource_unavailable_try_again ||
                          error.code() == std::errc::not_enough_memory;
    return report(status, is_short ? TENURE_RESOURCE_EXHAUSTED : TENURE_INTERNAL, error.what(),
                  {.native_code = error.code().value(),
                   .native_domain = is_errno ? "errno" : error.code().category().name()},
                  where);
  } catch (const std::exception& error) {
    return report(status, TENURE_INTERNAL, error.what(), {}, where);
  } catch (...) {
    return report(status, TENURE_UNKNOWN, "the provider threw something that is not a std::exception", {},
                  where);
  }
}

// Runs `body`, and turns what it throws into a code and, if there is one, the caller's status. OK leaves
// the status as it was. Costs nothing while nothing is thrown.
template <class Body>
std::int32_t boundary(tenure_status* status, Body&& body,
                      std::source_location where = std::source_location::current()) noexcept {
  try {
    body();
    return TENURE_OK;
  } catch (...) {
    return report_exception(status, where);
  }
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
