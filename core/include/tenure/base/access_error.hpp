// SPDX-License-Identifier: Apache-2.0
// access_error: bytes that cannot be reached in the way that was asked for, now or ever.
#pragma once

#include "tenure/base/error.hpp"

namespace tenure::inline TENURE_BUILD {

// Thrown before anything was touched: the memory, its maps and the argument are as they were.
class TENURE_API AccessError final : public Error {
 public:
  enum class Kind {
    not_host_accessible,  // no host address without a map: `map_read` and `map_write` ask the provider
    not_mappable,         // the host can never reach these bytes this way: `download` copies them
    mapped,               // a map that is alive excludes this use
    imported,             // an import that is alive has these bytes
    in_use,               // a device, or a guard of a shared tensor, still works on the bytes
    dtype_mismatch,       // the bytes are of another element type
    not_a_vector,         // the bytes did not come as the vector that was asked for
    unsupported,          // the provider of the memory has no such access
  };

  // What was wanted, what was found and what to do: the parts of the message, and fields.
  struct Facts {
    std::string wanted;
    std::string found;
    std::string advice;
  };

  AccessError(Kind kind, std::string operation, Facts facts, std::shared_ptr<const Error> cause = nullptr);
  ~AccessError() override;
  AccessError(const AccessError&) noexcept;
  AccessError& operator=(const AccessError&) noexcept;

  Kind kind() const noexcept { return kind_; }
  std::string_view wanted() const noexcept { return facts_->wanted; }
  std::string_view found() const noexcept { return facts_->found; }
  std::string_view advice() const noexcept { return facts_->advice; }

 private:
  Kind kind_;
  std::shared_ptr<const Facts> facts_;
};

TENURE_API std::string_view access_error_kind_name(AccessError::Kind kind) noexcept;

}  // namespace tenure::inline TENURE_BUILD
