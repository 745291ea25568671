// SPDX-License-Identifier: Apache-2.0
// provider: the one header and the one macro that make a provider plugin of a class.
//
//   class Acme { ... };                     // provider_concept.hpp says what it must and may have
//   TENURE_PROVIDER(Acme, "com.acme.memory", "Acme memory", "1.2.0", "Acme", TENURE_NOTE_FORK_SAFE)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tenure/provider_abi.h"
#include "tenure/provider_note.h"
#include "tenure/sdk/argument.hpp"
#include "tenure/sdk/boundary.hpp"
#include "tenure/sdk/instance.hpp"
#include "tenure/sdk/instance_table.hpp"
#include "tenure/sdk/provider_check.hpp"
#include "tenure/sdk/provider_concept.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

struct ProviderIdentity {
  std::string_view id;
  std::string_view name;
  std::string_view version;
  std::string_view vendor;
};

// Reverse DNS out of [a-z0-9.-] that fits in the note.
consteval bool is_provider_id(std::string_view id) {
  for (const char c : id) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-')) return false;
  }
  return id.size() < sizeof(tenure_note::id) && id.find('.') != id.npos && id.front() != '.' &&
         id.back() != '.';
}

// Three numbers, then what SemVer allows, that fit in the note.
consteval bool is_version(std::string_view version) {
  std::string_view rest = version;
  for (int part = 0; part < 3; ++part) {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0) return false;
    rest.remove_prefix(digits);
    if (part < 2) {
      if (!rest.starts_with('.')) return false;
      rest.remove_prefix(1);
    }
  }
  return version.size() < sizeof(tenure_note::version) && (rest.empty() || rest[0] == '-' || rest[0] == '+');
}

// The functions of tenure_provider over a provider class.
template <class P>
struct ProviderTable {
  static std::string why_unavailable(const Host& host) {
    if constexpr (SaysWhyUnavailable<P>) {
      return P::why_unavailable(host);
    } else {
      return {};
    }
  }

  static std::int32_t availability(const tenure_host* host, tenure_availability* out,
                                   tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_struct(out, "availability: out");
      require_struct(host, "the host");
      const std::string reason = why_unavailable(Host(host));
      auto answer = abi::make_struct<tenure_availability>();
      answer.code = reason.empty() ? TENURE_OK : TENURE_UNAVAILABLE;
      put_text(answer.reason, reason);
      abi::write_struct(out, answer);
    });
  }

  static std::int32_t open(const tenure_host* host, const tenure_open_args* args, tenure_instance** out,
                           tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_pointer(out, "open: out");
      require_struct(host, "the host");
      const std::string reason = why_unavailable(Host(host));
      if (!reason.empty()) throw Error(TENURE_UNAVAILABLE, reason);
      OpenOptions options(args);
      *out = std::make_unique<Instance<P>>(Host(host), options).release()->handle();
    });
  }

  static void close(tenure_instance* instance) noexcept { delete &Instance<P>::of(instance); }

  static const void* get_extension(const char*) noexcept { return nullptr; }

  static constexpr tenure_provider make(const ProviderIdentity& identity) noexcept {
    if constexpr (check_provider<P>()) {
      return {abi::head_of<tenure_provider>(),
              to_c(identity.id),
              to_c(identity.name),
              to_c(identity.version),
              to_c(identity.vendor),
              &availability,
              &open,
              &close,
              &get_extension,
              &InstanceTable<P>::table};
    } else {
      return {};
    }
  }
};

// The body of the entry function.
inline std::int32_t enter(const tenure_provider& table, const tenure_host* host, const tenure_provider** out,
                          tenure_status* status) noexcept {
  return boundary(status, [&] {
    require_pointer(out, "entry: out");
    require_struct(host, "the host");
    if (TENURE_HAS_MEMBER(host, tenure_host, abi_major) && host->abi_major != TENURE_ABI_MAJOR) {
      throw Error(TENURE_FAILED_PRECONDITION, std::string(to_view(table.id)) + " speaks provider ABI " +
                                                  std::to_string(TENURE_ABI_MAJOR) +
                                                  " and this host speaks " + std::to_string(host->abi_major));
    }
    *out = &table;
  });
}

}  // namespace tenure::sdk
#pragma GCC visibility pop

// Makes the image that this is compiled into a provider: its note, its tables and its one exported
// function. Write it once, outside any namespace. FLAGS are TENURE_NOTE_* bits, the others literals.
#define TENURE_PROVIDER(CLASS, ID, NAME, VERSION, VENDOR, FLAGS)                                      \
  static_assert(::tenure::sdk::is_provider_id(ID), "a provider id is reverse DNS out of [a-z0-9.-]"); \
  static_assert(::tenure::sdk::is_version(VERSION), "a provider version is SemVer, such as 1.2.0");   \
  TENURE_NOTE(ID, VERSION, FLAGS);                                                                    \
  int32_t tenure_provider_entry_v1_draft(const tenure_host* host, const tenure_provider** out,        \
                                         tenure_status* status) noexcept {                            \
    static constexpr tenure_provider table =                                                          \
        ::tenure::sdk::ProviderTable<CLASS>::make({ID, NAME, VERSION, VENDOR});                       \
    return ::tenure::sdk::enter(table, host, out, status);                                            \
  }                                                                                                   \
  static_assert(true, "lets the macro be followed by a semicolon")
