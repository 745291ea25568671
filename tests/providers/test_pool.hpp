// SPDX-License-Identifier: Apache-2.0
// test_pool: a pool of a provider, through the table of its pool extension.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "providers/call_status.hpp"
#include "providers/loaded_provider.hpp"
#include "tenure/provider_pool.h"

namespace tenure_test {

// Released with this. Its calls throw where a test cannot go on; a test of a refusal calls `api()` itself.
class TestPool {
 public:
  // Without a mode, in the provider's default mode; sanitizers change that one.
  TestPool(const OpenInstance& instance, std::uint64_t domain,
           std::optional<std::uint32_t> mode = TENURE_POOL_COUNT,
           std::uint64_t retained_bytes_max = UINT64_MAX)
      : api_(instance.extension<tenure_pool_api>(TENURE_EXT_POOL)) {
    if (api_ == nullptr) throw std::runtime_error("this provider has no pools");
    auto options = tenure::abi::make_struct<tenure_pool_options>();
    options.retained_bytes_max = retained_bytes_max;
    options.mode = mode.value_or(0);
    options.mode_is_set = mode ? 1 : 0;
    CallStatus status;
    require(api_->pool_create(instance.handle(), domain, &options, &handle_, status.get()), status);
  }
  TestPool(const TestPool&) = delete;
  TestPool& operator=(const TestPool&) = delete;
  ~TestPool() { api_->pool_release(handle_); }

  const tenure_pool_api& api() const noexcept { return *api_; }
  tenure_pool* handle() const noexcept { return handle_; }

  tenure_storage_info acquire(std::uint64_t bytes, std::uint64_t alignment_bytes = 0) const {
    auto info = tenure::abi::make_struct<tenure_storage_info>();
    CallStatus status;
    require(api_->acquire(handle_, bytes, alignment_bytes, &info, status.get()), status);
    return info;
  }
  std::int32_t give_back(tenure_storage* storage, CallStatus& status) const {
    return api_->give_back(handle_, storage, status.get());
  }
  tenure_pool_statistics statistics() const {
    auto statistics = tenure::abi::make_struct<tenure_pool_statistics>();
    CallStatus status;
    require(api_->statistics(handle_, &statistics, status.get()), status);
    return statistics;
  }

 private:
  static void require(std::int32_t code, const CallStatus& status) {
    if (code != TENURE_OK) throw std::runtime_error(status.message());
  }

  const tenure_pool_api* api_;
  tenure_pool* handle_ = nullptr;
};

}  // namespace tenure_test
