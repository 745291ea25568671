// SPDX-License-Identifier: Apache-2.0
// pool_rules: recycled storage, for providers that offer it.
#include <array>
#include <cstdint>
#include <thread>
#include <vector>

#include "rules/block.hpp"
#include "rules/extension.hpp"
#include "rules/open_instance.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"
#include "tenure/provider_pool.h"

namespace tenure::probe {

namespace {

// A pool of the provider under trial, every call to which leaves a breadcrumb. Releases it.
class TrialPool {
 public:
  // Fails the rule when the pool is refused.
  TrialPool(OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain,
            std::uint64_t retained_bytes_max = UINT64_MAX)
      : instance_(instance), domain_(domain), of_instance_(api, instance.object(), instance.trial()) {
    auto options = abi::make_struct<tenure_pool_options>();
    options.retained_bytes_max = retained_bytes_max;
    options.mode = TENURE_POOL_COUNT;
    options.mode_is_set = 1;
    tenure_pool* pool = nullptr;
    Answer answer;
    answer.code = of_instance_.table().pool_create(of_instance_.handle(), domain.index, &options, &pool,
                                                   answer.status());
    instance.trial().expect(
        answer.ok() && pool != nullptr,
        sentence("pool_create in ", domain.name, " answered ", answer.text(), " and pool ", pool));
    of_pool_.emplace(api, pool, instance.trial());
  }
  TrialPool(const TrialPool&) = delete;
  TrialPool& operator=(const TrialPool&) = delete;
  ~TrialPool() {
    if (of_pool_) release();
  }

  const std::string& domain_name() const noexcept { return domain_.name; }

  // Fails the rule when the block is refused or too small.
  Block acquire(std::uint64_t bytes, std::uint64_t alignment_bytes = 64) {
    auto info = abi::make_struct<tenure_storage_info>();
    Answer answer;
    answer.code =
        of_pool_->table().acquire(of_pool_->handle(), bytes, alignment_bytes, &info, answer.status());
    Trial& trial = instance_.trial();
    trial.expect(answer.ok() && info.storage != nullptr,
                 sentence("acquire of ", bytes, " bytes in ", domain_.name, " answered ", answer.text()));
    if (info.bytes < bytes) {
      trial.skip_needs("pool.acquire",
                       sentence("a block of ", bytes, " bytes in ", domain_.name, " has ", info.bytes));
    }
    return {instance_, domain_, info};
  }

  tenure_pool_statistics statistics() {
    auto statistics = abi::make_struct<tenure_pool_statistics>();
    Answer answer;
    answer.code = of_pool_->table().statistics(of_pool_->handle(), &statistics, answer.status());
    instance_.trial().expect(answer.ok(), sentence("statistics of a pool answered ", answer.text()));
    return statistics;
  }

  void detach(const Block& block) { of_instance_.table().detach(of_instance_.handle(), block.storage()); }
  Answer give_back(const Block& block) {
    Answer answer;
    answer.code = of_pool_->table().give_back(of_pool_->handle(), block.storage(), answer.status());
    return answer;
  }
  std::uint64_t trim(std::uint64_t retained_bytes) {
    return of_pool_->table().trim(of_pool_->handle(), retained_bytes);
  }
  void thread_exit(std::uint32_t index) { of_instance_.table().thread_exit(of_instance_.handle(), index); }
  void release() {
    of_pool_->table().pool_release(of_pool_->handle());
    of_pool_.reset();
  }

 private:
  OpenInstance& instance_;
  const DomainFacts& domain_;
  abi::Interposer<tenure_pool_api, tenure_instance> of_instance_;
  std::optional<abi::Interposer<tenure_pool_api, tenure_pool>> of_pool_;
};

// Hands the instance, the pool's table and each domain to `judge`. Skips the rule without pools.
template <class Judge>
void for_each_domain(Trial& trial, Judge&& judge) {
  OpenInstance instance(trial);
  const auto& api =
      require_extension<tenure_pool_api>(instance, TENURE_EXT_POOL, "the provider offers no pool");
  const auto domains = instance.domains();
  for (const DomainFacts& domain : domains) judge(instance, api, domain);
}

void acquire(Trial& trial) {
  for_each_domain(trial, [](OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain) {
    TrialPool pool(instance, api, domain);
    for (const std::uint64_t bytes :
         {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{1000}, std::uint64_t{100'000}}) {
      for (const std::uint64_t alignment_bytes : {std::uint64_t{64}, std::uint64_t{4096}}) {
        Block block = pool.acquire(bytes, alignment_bytes);
        instance.trial().expect(block.info().alignment_bytes >= alignment_bytes,
                                sentence("a block acquired with alignment ", alignment_bytes, " in ",
                                         domain.name, " has ", block.info().alignment_bytes));
        if (!block.is_reachable()) continue;
        const auto content = pattern(bytes, 51);
        block.write(content);
        instance.trial().expect(
            block.read(bytes) == content,
            sentence("a block of ", bytes, " bytes in ", domain.name, " does not hold what was written"));
      }
    }
  });
}

void recycles(Trial& trial) {
  for_each_domain(trial, [](OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain) {
    TrialPool pool(instance, api, domain);
    pool.acquire(4096).release();
    const std::uint64_t hits = pool.statistics().hits;
    instance.trial().expect(pool.statistics().buffers >= 1,
                            sentence("a released block in ", domain.name, " is not among the idle ones"));
    pool.acquire(4096).release();
    instance.trial().expect(
        pool.statistics().hits == hits + 1,
        sentence("a block in ", domain.name, " of the size of an idle one was made anew"));
  });
}

void cap_kept(Trial& trial) {
  for_each_domain(trial, [](OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain) {
    constexpr std::uint64_t cap_bytes = 64 * 1024;
    TrialPool pool(instance, api, domain, cap_bytes);
    std::vector<Block> blocks;
    for (int i = 0; i < 16; ++i) blocks.push_back(pool.acquire(16 * 1024));
    for (Block& block : blocks) {
      block.release();
      const std::uint64_t idle_bytes = pool.statistics().capacity_bytes;
      instance.trial().expect(
          idle_bytes <= cap_bytes,
          sentence("a pool in ", domain.name, " keeps ", idle_bytes, " bytes; its cap is ", cap_bytes));
    }
  });
}

void release_with_blocks_out(Trial& trial) {
  for_each_domain(trial, [](OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain) {
    TrialPool pool(instance, api, domain);
    Block block = pool.acquire(1000);
    const auto content = pattern(1000, 52);
    if (block.is_reachable()) block.write(content);
    pool.release();
    if (!block.is_reachable()) return;
    instance.trial().expect(block.read(1000) == content,
                            sentence("releasing the pool in ", domain.name, " changed a block that is out"));
  });
}

void detach(Trial& trial) {
  for_each_domain(trial, [](OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain) {
    TrialPool pool(instance, api, domain);
    Block block = pool.acquire(1000);
    pool.detach(block);
    const tenure_pool_statistics detached = pool.statistics();
    instance.trial().expect(
        detached.detached == 1 && detached.live_count == 0,
        sentence("after detach the pool in ", domain.name, " counts ", detached.detached, " detached and ",
                 detached.live_count, " living blocks; expected 1 and 0"));
    block.release();
    instance.trial().expect(pool.statistics().buffers == 0,
                            sentence("a detached block in ", domain.name, " went back to its pool"));

    Block plain(instance, domain, 1000);  // detach is harmless on any storage
    pool.detach(plain);
    plain.release();
  });
}

void give_back(Trial& trial) {
  for_each_domain(trial, [](OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain) {
    TrialPool pool(instance, api, domain);
    Block foreign(instance, domain, 1000);
    const Answer refusal = pool.give_back(foreign);
    instance.trial().expect(refusal.code == TENURE_INVALID_ARGUMENT,
                            sentence("giving a storage that is not its own to a pool in ", domain.name,
                                     " answered ", refusal.text(), "; expected INVALID_ARGUMENT"));

    Block block = pool.acquire(1000);
    pool.detach(block);
    const Answer answer = pool.give_back(block);
    instance.trial().expect(
        answer.ok(), sentence("giving a detached block back in ", domain.name, " answered ", answer.text()));
    block.give_up();
    const tenure_pool_statistics statistics = pool.statistics();
    instance.trial().expect(statistics.buffers == 1 && statistics.detached == 0,
                            sentence("a block given back in ", domain.name, " leaves ", statistics.buffers,
                                     " idle and ", statistics.detached, " detached; expected 1 and 0"));
  });
}

void trim(Trial& trial) {
  for_each_domain(trial, [](OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain) {
    TrialPool pool(instance, api, domain);
    Block kept = pool.acquire(1000);
    pool.acquire(1000).release();
    pool.trim(0);
    const tenure_pool_statistics statistics = pool.statistics();
    instance.trial().expect(statistics.buffers == 0 && statistics.capacity_bytes == 0,
                            sentence("after trim to 0 a pool in ", domain.name, " keeps ", statistics.buffers,
                                     " blocks of ", statistics.capacity_bytes, " bytes"));
    if (!kept.is_reachable()) return;
    const auto content = pattern(1000, 53);
    kept.write(content);
    instance.trial().expect(kept.read(1000) == content,
                            sentence("after trim a block that is out in ", domain.name, " holds no bytes"));
  });
}

void stats_conserve(Trial& trial) {
  for_each_domain(trial, [](OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain) {
    TrialPool pool(instance, api, domain);
    std::vector<Block> blocks;
    for (int i = 0; i < 3; ++i) blocks.push_back(pool.acquire(1000));
    const tenure_pool_statistics during = pool.statistics();
    blocks.clear();
    const tenure_pool_statistics after = pool.statistics();
    Trial& judge = instance.trial();
    judge.expect(during.live_count == 3 && during.live_bytes >= 3000,
                 sentence("with three blocks of 1000 bytes out, a pool in ", domain.name, " counts ",
                          during.live_count, " of ", during.live_bytes, " bytes"));
    judge.expect(after.live_count == 0 && after.live_bytes == 0,
                 sentence("with no block out, a pool in ", domain.name, " counts ", after.live_count, " of ",
                          after.live_bytes, " bytes"));
    judge.expect(after.reserved_bytes == after.capacity_bytes && after.peak_bytes >= during.reserved_bytes,
                 sentence("a pool in ", domain.name, " has reserved ", after.reserved_bytes, " bytes, keeps ",
                          after.capacity_bytes, " and had at most ", after.peak_bytes));
  });
}

void thread_exit(Trial& trial) {
  for_each_domain(trial, [](OpenInstance& instance, const tenure_pool_api& api, const DomainFacts& domain) {
    TrialPool pool(instance, api, domain);
    std::uint32_t index = 0;
    std::thread([&] {
      const tenure_host* host = instance.trial().host().table();
      index = host->thread_index(host->context);
      pool.acquire(1000).release();
    }).join();
    pool.thread_exit(index);
    pool.trim(0);
    instance.trial().expect(
        pool.statistics().buffers == 0,
        sentence("a block that an ended thread had kept in ", domain.name, " cannot be had again"));
  });
}

constexpr std::array rules{
    Rule{
        .name = "pool.acquire",
        .sentence = "A block has the bytes and the alignment that were asked for, and holds what is written.",
        .if_ignored = "Results overwrite other memory.",
        .advice = "Round the size up to the class of the block.",
        .needs = {"mem.pattern"},
        .check = acquire},
    Rule{.name = "pool.recycles",
         .sentence = "A released block serves the next request of its size.",
         .if_ignored = "Every output costs an allocation, and the pool is of no use.",
         .advice = "Put the block on the list of its class in storage_release.",
         .needs = {"pool.acquire"},
         .check = recycles},
    Rule{.name = "pool.cap-kept",
         .sentence = "A pool keeps at most retained_bytes_max idle.",
         .if_ignored = "A program runs out of memory that nobody uses.",
         .advice = "Compare before a block is kept, and free it otherwise.",
         .needs = {"pool.acquire"},
         .check = cap_kept},
    Rule{.name = "pool.release-with-blocks-out",
         .sentence = "A pool may be released while blocks are out, which stay as they are.",
         .if_ignored = "Outputs die with the engine that made them.",
         .advice = "Count the blocks that are out, and free the pool with the last of them.",
         .needs = {"pool.acquire"},
         .check = release_with_blocks_out},
    Rule{.name = "pool.detach",
         .sentence = "A detached block is no longer the pool's: releasing it frees it.",
         .if_ignored = "Memory that a user has taken over is handed out again.",
         .advice = "Take the block off the pool's books in detach, and look at that in storage_release.",
         .needs = {"pool.acquire"},
         .check = detach},
    Rule{.name = "pool.give-back",
         .sentence = "A pool takes back a detached block of its own, and refuses any other storage.",
         .if_ignored = "Memory is freed by who did not make it.",
         .advice = "Compare the pool that made the block with the one that is asked.",
         .needs = {"pool.detach"},
         .check = give_back},
    Rule{.name = "pool.trim",
         .sentence = "After a trim to 0 no block is idle, and those that are out stay as they are.",
         .if_ignored = "A program cannot give memory back to the system.",
         .advice = "Evict from every list, those of threads included.",
         .needs = {"pool.acquire"},
         .check = trim},
    Rule{.name = "pool.stats-conserve",
         .sentence = "A pool counts every block that is out once, and what is reserved is out or idle.",
         .if_ignored = "Leaks cannot be told from use.",
         .advice = "Count at the end of acquire and of storage_release, in bytes of capacity.",
         .needs = {"pool.acquire"},
         .check = stats_conserve},
    Rule{.name = "pool.thread-exit",
         .sentence = "After thread_exit the blocks that the thread had kept are the pool's again.",
         .if_ignored = "Memory of ended threads is lost.",
         .advice = "Move what is kept under the index of the thread to the shared lists.",
         .needs = {"pool.trim"},
         .check = thread_exit},
};

}  // namespace

std::span<const Rule> pool_rules() noexcept { return rules; }

}  // namespace tenure::probe
