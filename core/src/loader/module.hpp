// SPDX-License-Identifier: Apache-2.0
// module: a mapped and checked provider file.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "loader/opened_file.hpp"
#include "loader/provider_table.hpp"
#include "tenure/config.h"
#include "tenure/loader/identity_card.hpp"
#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

// Lives until the process ends, as the mapping does.
class Module {
 public:
  struct Facts {
    std::string path;  // real
    FileIdentity identity;
    std::uint64_t file_bytes = 0;
    std::string build_id;
    std::string registered_id;  // the alias, or the id
    IdentityCard card;
    ProviderTable table;
    const tenure_host* host = nullptr;
  };
  explicit Module(Facts facts) : facts_(std::move(facts)) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const Facts& facts() const noexcept { return facts_; }
  const std::string& id() const noexcept { return facts_.card.id; }
  const tenure_provider& provider() const noexcept { return facts_.table.provider; }
  const tenure_host& host() const noexcept { return *facts_.host; }
  bool is_fork_safe() const noexcept;

  // Call it before each open. Throws ProviderError (FAILED_PRECONDITION) when the provider has been opened
  // in the process that this one was forked from, and does not say that it can bear that.
  void require_usable_after_fork(std::string_view operation) const;
  // Call it after each open that the provider answered with an instance; one that failed forbids nothing.
  void note_opened() const noexcept;

 private:
  Facts facts_;
  mutable std::atomic<std::uint32_t> opened_in_generation_{0};  // of the first open; 0: never opened
};

}  // namespace tenure::inline TENURE_BUILD
