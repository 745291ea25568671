// SPDX-License-Identifier: Apache-2.0
// transfer_error: a copy between two domains that no provider makes directly.
#pragma once

#include "tenure/base/error.hpp"

namespace tenure::inline TENURE_BUILD {

// Nothing is ever copied through a third place instead; the message names the steps that would do. Nothing
// was copied. A pair of domains is refused before anything is allocated. What shows only later, that a
// provider does not walk a layout or that a new block of a pageable domain is plain host memory, is refused
// with the new block given back.
class TENURE_API TransferError final : public Error {
 public:
  // The names of the two domains, "host" for plain host memory.
  struct Ends {
    std::string source;
    std::string target;
  };

  // `found` says why there is no such copy, `advice` names the explicit path.
  TransferError(std::string operation, Ends ends, std::string_view found, std::string_view advice,
                std::shared_ptr<const Error> cause = nullptr);
  ~TransferError() override;
  TransferError(const TransferError&) noexcept;
  TransferError& operator=(const TransferError&) noexcept;

  std::string_view source() const noexcept { return ends_->source; }
  std::string_view target() const noexcept { return ends_->target; }

 private:
  std::shared_ptr<const Ends> ends_;
};

}  // namespace tenure::inline TENURE_BUILD
