// SPDX-License-Identifier: Apache-2.0
// pool_set: the pools that one instance of a provider has made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tenure/provider_pool.h"
#include "tenure/sdk/pool/pool.hpp"
#include "tenure/sdk/pool/statistics.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// Outlives its members; blocks may outlive it. With it a provider class has what pool_table.hpp asks for:
//
//   auto create_pool(std::uint64_t domain, const tenure_pool_options& options) {
//     return pools_.make(domain, Pool(HostUpstream{}, HostThreadIndex(host_),
//                                     read_pool_options(options, defaults_), Payload{domain}));
//   }
//   void detach(Pool::Block& block) noexcept { Pool::detach(block); }
//   void release(Pool::Block& block) noexcept { Pool::release(block); }
//   void thread_exit(std::uint32_t thread_index) noexcept { pools_.thread_exit(thread_index); }
template <class Pool>
class PoolSet {
 public:
  using Block = typename Pool::Block;

  // One pool, what tenure_pool* points to. The members mean what they mean in Pool.
  class Member {
   public:
    Member(PoolSet& set, std::uint64_t domain, Pool pool)
        : set_(set), domain_(domain), pool_(std::move(pool)) {
      const std::lock_guard lock(set_.mutex_);
      set_.members_.push_back(this);
    }
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;
    ~Member() {
      const std::lock_guard lock(set_.mutex_);
      std::erase(set_.members_, this);
    }

    Block& acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) {
      return pool_.acquire(bytes, alignment_bytes);
    }
    Block& acquire(std::uint64_t bytes, std::uint64_t alignment_bytes, std::uint32_t thread_index) {
      return pool_.acquire(bytes, alignment_bytes, thread_index);
    }
    void give_back(Block& block) { pool_.give_back(block); }
    tenure_pool_statistics statistics() const noexcept { return to_c(pool_.statistics()); }
    Snapshot snapshot() const { return pool_.snapshot(); }
    std::uint64_t trim(std::uint64_t retained_bytes) noexcept { return pool_.trim(retained_bytes); }

   private:
    friend PoolSet;
    PoolSet& set_;
    const std::uint64_t domain_;
    Pool pool_;
  };

  PoolSet() = default;
  PoolSet(const PoolSet&) = delete;
  PoolSet& operator=(const PoolSet&) = delete;

  // Owner: the caller.
  std::unique_ptr<Member> make(std::uint64_t domain, Pool pool) {
    return std::make_unique<Member>(*this, domain, std::move(pool));
  }

  // Makes available to all what an ended thread had at hand, in every pool.
  void thread_exit(std::uint32_t thread_index) noexcept {
    for_each([&](Member& member) { member.pool_.thread_exit(thread_index); });
  }

  // Frees idle blocks until the pools of the domain keep at most `retained_bytes` together. Returns the
  // bytes freed.
  std::uint64_t trim(std::uint64_t domain, std::uint64_t retained_bytes) noexcept {
    Block* excess = nullptr;
    for_each([&](Member& member) {
      if (member.domain_ != domain) return;
      excess = member.pool_.take_excess(retained_bytes, excess);
      retained_bytes -= std::min(retained_bytes, member.pool_.statistics().capacity_bytes);
    });
    return Pool::evict(excess);
  }

  // Sums over the living pools of the domain; the peak is the sum of the peaks.
  Statistics statistics(std::uint64_t domain) const noexcept {
    Statistics sum;
    for_each([&](const Member& member) {
      if (member.domain_ == domain) sum += member.pool_.statistics();
    });
    return sum;
  }

 private:
  template <class Function>
  void for_each(const Function& function) const noexcept {
    const std::lock_guard lock(mutex_);
    for (Member* member : members_) function(*member);
  }

  mutable std::mutex mutex_;
  std::vector<Member*> members_;
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
