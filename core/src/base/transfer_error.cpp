// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/transfer_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string describe(const TransferError::Ends& ends, std::string_view found, std::string_view advice) {
  std::string text = "wanted a copy from " + ends.source + " to " + ends.target + ", found ";
  text.append(found).append("; ").append(advice);
  return text;
}

}  // namespace

TransferError::TransferError(std::string operation, Ends ends, std::string_view found,
                             std::string_view advice, std::shared_ptr<const Error> cause)
    : Error(ErrorCode::transfer, std::move(operation), describe(ends, found, advice), std::move(cause)),
      ends_(std::make_shared<const Ends>(std::move(ends))) {}

TransferError::~TransferError() = default;
TransferError::TransferError(const TransferError&) noexcept = default;
TransferError& TransferError::operator=(const TransferError&) noexcept = default;

}  // namespace tenure::inline TENURE_BUILD
