// SPDX-License-Identifier: Apache-2.0
#include "loader/compatibility.hpp"

#include <string>

#include "tenure/provider_note.h"

namespace tenure::inline TENURE_BUILD {

namespace {

std::string abi_version(unsigned major, unsigned minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string sanitizer_names(std::uint32_t sanitizers) {
  std::string names;
  const auto add = [&](std::uint32_t bit, const char* name) {
    if ((sanitizers & bit) != 0) names.append(names.empty() ? "" : " and ").append(name);
  };
  add(TENURE_SANITIZER_ADDRESS, "AddressSanitizer");
  add(TENURE_SANITIZER_THREAD, "ThreadSanitizer");
  add(TENURE_SANITIZER_MEMORY, "MemorySanitizer");
  return names.empty() ? "no sanitizer" : names;
}

class Check {
 public:
  Check(const IdentityCard& card, const HostFacts& host)
      : card_(card), host_(host), who_(card.id + " " + card.version) {}

  std::vector<Problem> run() && {
    check_major();
    if (problems_.empty()) {
      check_minor();
      check_draft();
    }
    check_isa_level();
    check_sanitizers();
    return std::move(problems_);
  }

 private:
  void add(std::string_view rule, Severity severity, std::string wanted, std::string found,
           std::string message, std::string hint) {
    problems_.push_back({.id = std::string(rule),
                         .severity = severity,
                         .stage = LoadStage::compatibility,
                         .code = TENURE_FAILED_PRECONDITION,
                         .culprit = who_,
                         .wanted = std::move(wanted),
                         .found = std::move(found),
                         .searched = {},
                         .message = who_ + " " + std::move(message),
                         .hint = std::move(hint)});
  }

  void check_major() {
    if (card_.abi_major == host_.abi_major) return;
    const std::string its = abi_version(card_.abi_major, card_.abi_minor);
    const std::string ours = abi_version(host_.abi_major, host_.abi_minor);
    const bool newer = card_.abi_major > host_.abi_major;
    add("file.abi-version", Severity::error, "provider ABI " + its, "provider ABI " + ours,
        "was built for provider ABI " + its + "; this host, Tenure " TENURE_VERSION ", speaks " + ours,
        newer ? "Update Tenure, or use an older " + card_.id + "."
              : "Update " + card_.id + ", or use an older Tenure.");
  }

  void check_minor() {
    if (card_.host_minor_min <= host_.abi_minor) return;
    const std::string its = abi_version(card_.abi_major, card_.host_minor_min);
    const std::string ours = abi_version(host_.abi_major, host_.abi_minor);
    add("file.abi-version", Severity::error, "provider ABI " + its, "provider ABI " + ours,
        "needs provider ABI " + its +
            " or newer from the host; this host, Tenure " TENURE_VERSION ", speaks " + ours,
        "Update Tenure, or use an older " + card_.id + ".");
  }

  void check_draft() {
    if ((card_.flags & TENURE_NOTE_DRAFT) == 0) {
      add("file.abi-version", Severity::error, "the final ABI " + std::to_string(card_.abi_major),
          "its draft",
          "was built for the final provider ABI " + std::to_string(card_.abi_major) +
              "; this host, Tenure " TENURE_VERSION ", speaks the draft of it",
          "Update Tenure, or build the provider with the SDK of Tenure " TENURE_VERSION ".");
    } else if (card_.sdk != TENURE_SDK_VERSION) {
      add("file.abi-version", Severity::warning, "SDK " TENURE_SDK_VERSION, "SDK " + card_.sdk,
          "was built with SDK " + card_.sdk +
              "; this host has " TENURE_SDK_VERSION
              ", and a draft of the ABI may change from one to the other",
          "Build the provider with SDK " TENURE_SDK_VERSION ".");
    }
  }

  void check_isa_level() {
    if (card_.isa_level <= host_.isa_level || card_.isa_level == 0) return;
    const std::string its = "x86-64-v" + std::to_string(card_.isa_level);
    const std::string ours =
        host_.isa_level == 0 ? "no x86-64 level" : "x86-64-v" + std::to_string(host_.isa_level);
    add("file.isa-level", Severity::error, its, ours,
        "needs a processor of level " + its + "; this machine and its operating system have " + ours,
        "Use a build of " + card_.id + " for an older processor.");
  }

  void check_sanitizers() {
    if ((card_.sanitizers & ~host_.sanitizers) != 0) {
      const std::string its = sanitizer_names(card_.sanitizers);
      add("file.sanitizer", Severity::error, its, sanitizer_names(host_.sanitizers),
          "was built with " + its + "; this process runs with " + sanitizer_names(host_.sanitizers) +
              ", and mapping the provider would end it",
          "Build the provider without a sanitizer, or the program with the same one.");
    } else if ((host_.sanitizers & ~card_.sanitizers) != 0) {
      const std::string ours = sanitizer_names(host_.sanitizers);
      add("file.sanitizer", Severity::warning, ours, sanitizer_names(card_.sanitizers),
          "was built with " + sanitizer_names(card_.sanitizers) + "; this process runs with " + ours +
              ", which will not see what the provider does",
          "Build the provider with the same sanitizer to have it checked too.");
    }
  }

  const IdentityCard& card_;
  const HostFacts& host_;
  std::string who_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> check_compatibility(const IdentityCard& card, const HostFacts& host) {
  return Check(card, host).run();
}

}  // namespace tenure::inline TENURE_BUILD
