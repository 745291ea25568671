// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/pool.hpp"

#include "base/enumerator.hpp"
#include "memory/block_storage.hpp"
#include "memory/provider_lie.hpp"
#include "memory/provider_snapshot.hpp"
#include "memory/provider_status.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/memory/pool_snapshot.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

tenure_pool_options abi_options(const PoolOptions& options) {
  auto out = abi::make_struct<tenure_pool_options>();
  out.retained_bytes_max = options.retained_bytes_max ? *options.retained_bytes_max : UINT64_MAX;
  out.mode_is_set = options.mode ? 1 : 0;
  switch (options.mode.value_or(PoolMode::count)) {
    case PoolMode::count:
      out.mode = TENURE_POOL_COUNT;
      break;
    case PoolMode::poison:
      out.mode = TENURE_POOL_POISON;
      break;
    case PoolMode::guard:
      out.mode = TENURE_POOL_GUARD;
      break;
    case PoolMode::bypass:
      out.mode = TENURE_POOL_BYPASS;
      break;
    case PoolMode::trace:
      out.mode = TENURE_POOL_TRACE;
      break;
  }
  out.trace_events_max = options.trace_events_max.value_or(0);
  return out;
}

InstanceControl& instance_of(const AllocationDomain& domain) noexcept { return *domain.record()->instance; }

void check(const PoolOptions& options) {
  if (options.mode) require_enumerator("Pool", "mode", *options.mode, PoolMode::trace);
  if (options.trace_events_max == 0) {
    throw ValidationError(
        "Pool",
        InvalidArgument{"trace_events_max",
                        "at least 1 event was wanted, found 0; leave it out for the provider's number, "
                        "or use another mode"});
  }
}

// Live, idle and reserved as the blocks say, so that they add up also while other threads use the pool.
void count_blocks(PoolSnapshot& snapshot) {
  PoolStatistics& sum = snapshot.statistics;
  sum.live_count = sum.live_bytes = sum.buffers = sum.capacity_bytes = 0;
  for (const PoolBlock& block : snapshot.blocks) {
    if (block.state == PoolBlockState::live) {
      ++sum.live_count;
      sum.live_bytes += block.capacity_bytes;
    } else if (block.state == PoolBlockState::idle) {
      ++sum.buffers;
      sum.capacity_bytes += block.capacity_bytes;
    }
  }
  sum.reserved_bytes = sum.live_bytes + sum.capacity_bytes;
}

}  // namespace

Pool::Pool(const AllocationDomain& domain, const PoolOptions& options)
    : domain_(domain), instance_(instance_of(domain).share()) {
  check(options);
  InstanceControl& instance = instance_of(domain);
  instance.retain(LiveKind::pool, 0);
  if (instance.pool_api() == nullptr) return;
  const tenure_pool_options asked = abi_options(options);
  ProviderStatus status;
  const std::int32_t code = instance.pool_api()->pool_create(instance.handle(), domain.info().index, &asked,
                                                             &handle_, status.get());
  if (code == TENURE_OK && handle_ != nullptr) return;
  instance.release(LiveKind::pool, 0);
  const std::string attempt = "making a pool in " + std::string(domain.name());
  if (code != TENURE_OK) throw status.error("Pool", instance, attempt, code);
  throw provider_lie("Pool", instance, attempt, "there is no pool", {});
}

Pool& Pool::operator=(Pool&& other) noexcept {
  if (this != &other) {
    const Pool ended = std::move(*this);
    domain_ = other.domain_;
    instance_ = std::move(other.instance_);
    handle_ = std::exchange(other.handle_, nullptr);
    live_ = std::exchange(other.live_, false);
  }
  return *this;
}

Pool::~Pool() {
  if (!live_) return;
  InstanceControl& instance = instance_of(domain_);
  if (handle_ != nullptr) instance.pool_api()->pool_release(handle_);
  instance.release(LiveKind::pool, 0);
}

void Pool::require_live(const char* operation) const {
  if (!live_) throw EmptyOwner(operation);
}

Storage Pool::acquire(std::size_t bytes, std::size_t alignment_bytes) const {
  return acquire_for("Pool::acquire", bytes, alignment_bytes);
}

Storage Pool::acquire_for(const char* operation, std::size_t bytes, std::size_t alignment_bytes) const {
  require_live(operation);
  return BlockStorage::make({operation, *domain_.record(), handle_, bytes, alignment_bytes});
}

PoolStatistics Pool::statistics() const {
  require_live("Pool::statistics");
  if (handle_ == nullptr) return {};
  const InstanceControl& instance = instance_of(domain_);
  auto answer = abi::make_struct<tenure_pool_statistics>();
  ProviderStatus status;
  const std::int32_t code = instance.pool_api()->statistics(handle_, &answer, status.get());
  if (code != TENURE_OK) {
    throw status.error("Pool::statistics", instance,
                       "asking for statistics of a pool in " + std::string(domain_.name()), code);
  }
  return {answer.buffers,        answer.capacity_bytes, answer.live_count, answer.live_bytes,
          answer.reserved_bytes, answer.peak_bytes,     answer.hits,       answer.misses,
          answer.evictions,      answer.detached};
}

PoolSnapshot Pool::snapshot() const {
  require_live("Pool::snapshot");
  PoolSnapshot out;
  out.domain = domain_.name();
  if (handle_ == nullptr) return out;
  const InstanceControl& instance = instance_of(domain_);
  const tenure_pool_api& api = *instance.pool_api();
  const std::string attempt = "asking for a snapshot of a pool in " + out.domain;
  if (api.snapshot_create == nullptr || api.snapshot_release == nullptr) {
    throw ProviderError("Pool::snapshot", instance.provider_id(), TENURE_UNIMPLEMENTED,
                        attempt + ": its pools give no snapshots; use statistics()");
  }
  out.statistics = statistics();
  const tenure_pool_snapshot* table = nullptr;
  ProviderStatus status;
  const std::int32_t code = api.snapshot_create(handle_, &table, status.get());
  if (code != TENURE_OK) throw status.error("Pool::snapshot", instance, attempt, code);
  if (const auto lie = ProviderSnapshot(api, handle_, table).read(out)) {
    throw provider_lie("Pool::snapshot", instance, attempt, *lie, {});
  }
  count_blocks(out);
  return out;
}

std::size_t Pool::trim(std::size_t retained_bytes) const noexcept {
  return handle_ == nullptr ? 0 : instance_of(domain_).pool_api()->trim(handle_, retained_bytes);
}

void Pool::give_back(Storage* storage) const {
  require_live("Pool::give_back");
  const InstanceControl& instance = instance_of(domain_);
  const Block* block = storage == nullptr ? nullptr : BlockStorage::block_of(*storage);
  if (handle_ == nullptr || block == nullptr || block->instance != &instance) {
    throw ProviderError("Pool::give_back", instance.provider_id(), TENURE_INVALID_ARGUMENT,
                        "wanted a block that a pool of " + std::string(domain_.name()) +
                            " made, found one from elsewhere; it stays with its owner");
  }
  ProviderStatus status;
  const std::int32_t code = instance.pool_api()->give_back(handle_, block->handle, status.get());
  if (code != TENURE_OK) {
    throw status.error("Pool::give_back", instance,
                       "giving a block back to a pool in " + std::string(domain_.name()), code);
  }
  BlockStorage::forget(*storage);
}

}  // namespace tenure::inline TENURE_BUILD
