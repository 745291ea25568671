// SPDX-License-Identifier: Apache-2.0
// provider: a loaded plugin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tenure/config.h"
#include "tenure/loader/instance.hpp"

namespace tenure::inline TENURE_BUILD {

class Module;

// One setting of `Provider::open`. The provider knows the keys and checks the values.
struct OpenOption {
  std::string key;
  std::string value;
};
using OpenOptions = std::vector<OpenOption>;

struct Availability {
  bool available = false;
  std::string reason;  // a sentence for the user; empty when available
};

// A handle of a module that stays mapped until the process ends; copying it is free and it never dangles.
class TENURE_API Provider {
 public:
  // The id of its identity card, "org.tenure.cpu", and the name it is registered under: the alias that
  // LoadOptions gave, otherwise the id.
  std::string_view id() const noexcept;
  std::string_view registered_id() const noexcept;
  std::string_view name() const noexcept;
  std::string_view version() const noexcept;
  std::string_view vendor() const noexcept;
  // The real absolute path of the file, and its build id in hexadecimal, empty when it has none.
  std::string_view path() const noexcept;
  std::string_view build_id() const noexcept;

  // Asks whether `open` can work on this machine, and why not. Throws ProviderError when the question
  // itself fails.
  Availability availability() const;

  // Opens an instance that is independent of all others. Throws ProviderError: UNAVAILABLE with the
  // provider's reason, FAILED_PRECONDITION in a child forked after an open that succeeded, or the answer.
  Instance open(const OpenOptions& options = {}) const;

  friend bool operator==(const Provider&, const Provider&) = default;

  // For the layers of Tenure that are built on this one.
  explicit Provider(const Module* module) noexcept : module_(module) {}
  const Module* module() const noexcept { return module_; }

 private:
  const Module* module_;
};

}  // namespace tenure::inline TENURE_BUILD
