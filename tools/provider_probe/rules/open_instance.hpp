// SPDX-License-Identifier: Apache-2.0
// open_instance: an instance of the provider under trial, every call to which leaves a breadcrumb.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/answer.hpp"
#include "rules/trial.hpp"
#include "tenure/abi/interposer.hpp"

namespace tenure::probe {

// A domain as the instance describes it.
struct DomainFacts {
  std::uint64_t index = 0;
  std::string name;
  tenure_domain_info info{};

  bool has_access(std::uint32_t access) const noexcept { return (info.access & access) == access; }
  bool is_host_accessible() const noexcept {
    return has_access(TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE);
  }
};

class OpenInstance {
 public:
  // Opens without options. Skips the rule when the provider is unavailable or does not open.
  explicit OpenInstance(Trial& trial);
  OpenInstance(const OpenInstance&) = delete;
  OpenInstance& operator=(const OpenInstance&) = delete;
  // Closes, unless that was done or given up.
  ~OpenInstance();

  Trial& trial() const noexcept { return trial_; }
  // The functions to call, with handle(). None of the required ones is null: in place of a missing one
  // stands a function that skips the rule.
  const tenure_instance_api& api() const noexcept { return api_; }
  tenure_instance* handle() noexcept { return interposer_->handle(); }
  // The provider's own, for the tables of extensions.
  tenure_instance* object() const noexcept { return object_; }

  void close();
  // Leaves it open for the rest of the process.
  void give_up() noexcept { object_ = nullptr; }

  // Every domain. Skips the rule when the provider cannot tell.
  std::vector<DomainFacts> domains();
  // Those that the host reads and writes. Skips the rule when there is none.
  std::vector<DomainFacts> host_domains();
  // The statistics of a domain. Skips the rule when the provider cannot tell.
  tenure_domain_statistics statistics(std::uint64_t domain);
  bool can_copy(std::uint64_t source_domain, std::uint64_t target_domain) {
    return api_.can_copy(handle(), source_domain, target_domain) != 0;
  }
  // storage_create with these numbers and nothing more.
  Answer create(std::uint64_t domain, std::uint64_t bytes, std::uint64_t alignment_bytes, std::uint32_t flags,
                tenure_storage_info& out);

 private:
  Trial& trial_;
  tenure_instance* object_ = nullptr;
  std::optional<abi::Interposer<tenure_instance_api, tenure_instance>> interposer_;
  tenure_instance_api api_{};
};

// Skips the rule unless the provider says that it can work on this machine.
void require_available(Trial& trial);

// A string of the contract as a view; an empty one may have a null address.
inline std::string_view view_of(tenure_string text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.bytes};
}

}  // namespace tenure::probe
