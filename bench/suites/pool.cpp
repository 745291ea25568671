// SPDX-License-Identifier: Apache-2.0
// pool: taking recycled memory and giving it back, beside general allocators.
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "../case_builder.hpp"
#include "../provider_tables.hpp"
#include "../team.hpp"
#include "suites.hpp"

namespace tenure::bench {

namespace {

const PeerNames allocator_names{"glibc", "mimalloc", "tbb"};

struct Size {
  std::string name;
  std::size_t bytes;
};

// A block of a pool or of an allocator, so that one pattern of use is one function for all of them.
struct PoolSource {
  std::shared_ptr<ProviderTables> tables;
  using Block = tenure_storage*;
  Block take(std::size_t bytes) const {
    void* address = nullptr;
    Block block = tables->acquire(bytes, address);
    do_not_optimize(address);
    return block;
  }
  void give(Block block) const { tables->release(block); }
};
struct AllocatorSource {
  Allocator allocator;
  using Block = void*;
  Block take(std::size_t bytes) const {
    Block block = allocator.allocate(bytes);
    do_not_optimize(block);
    return block;
  }
  void give(Block block) const { allocator.free(block); }
};

template <class Source>
Work hit(Source source, std::size_t bytes) {
  return repeat([=] { source.give(source.take(bytes)); });
}

// 64 blocks are out; each operation gives the oldest back and takes another one.
template <class Source>
Work round_robin(Source source, std::size_t bytes) {
  return [=](std::uint64_t repetitions) {
    std::array<typename Source::Block, 64> blocks;
    for (auto& block : blocks) block = source.take(bytes);
    for (std::uint64_t turn = 0; turn < repetitions; ++turn) {
      auto& block = blocks[turn % blocks.size()];
      source.give(block);
      block = source.take(bytes);
    }
    for (auto& block : blocks) source.give(block);
  };
}

// A queue of 256 blocks from one thread to another. Each side looks at the other's count only when it has
// to and tells its own once for 16 blocks, so that what is measured is the allocator and not the queue.
template <class Block>
class Ring {
 public:
  void put(Block block) {
    if (put_.count == put_.end) {
      put_.end = wait_until_above(taken_, put_.count - size) + size;
    }
    blocks_[put_.count++ % size] = block;
    if (put_.count % batch == 0) finish_putting();
  }
  // After the last one.
  void finish_putting() { written_.store(put_.count, std::memory_order_release); }
  Block take() {
    if (take_.count == take_.end) take_.end = wait_until_above(written_, take_.count);
    const Block block = blocks_[take_.count++ % size];
    if (take_.count % batch == 0) taken_.store(take_.count, std::memory_order_release);
    return block;
  }

 private:
  static constexpr std::uint64_t size = 256;
  static constexpr std::uint64_t batch = 16;
  struct alignas(64) Side {
    std::uint64_t count;
    std::uint64_t end;  // as far as it may go before it has to look
  };

  static std::uint64_t wait_until_above(const std::atomic<std::uint64_t>& count, std::uint64_t known) {
    for (unsigned turn = 0;; ++turn) {
      const std::uint64_t now = count.load(std::memory_order_acquire);
      if (now != known) return now;
      // Long before that the other side is not running.
      if (turn > 10'000) std::this_thread::yield();
    }
  }

  std::array<Block, size> blocks_;
  Side put_{0, size};
  Side take_{0, 0};
  alignas(64) std::atomic<std::uint64_t> written_{0};
  alignas(64) std::atomic<std::uint64_t> taken_{0};
};

// One thread takes blocks, another one gives them back.
template <class Source>
Work hand_over(Source source, std::size_t bytes) {
  const auto team = std::make_shared<Team>(2);
  return [=](std::uint64_t repetitions) {
    const auto ring = std::make_unique<Ring<typename Source::Block>>();
    team->run([&ring = *ring, source, bytes, repetitions](unsigned member) {
      if (member == 1) {
        for (std::uint64_t at = 0; at < repetitions; ++at) source.give(ring.take());
        return;
      }
      for (std::uint64_t at = 0; at < repetitions; ++at) ring.put(source.take(bytes));
      ring.finish_putting();
    });
  };
}

template <class Pattern>
CaseEntry pattern_entry(Setup& setup, const std::string& name, const Size& size, std::size_t blocks,
                        unsigned threads, Pattern pattern) {
  CaseEntry entry;
  entry.name = "pool/" + name + "/" + size.name + "/" + threads_text(threads);
  entry.bytes = size.bytes * blocks;
  entry.threads = threads;
  entry.make = [&setup, size, pattern] {
    const PoolSource pool{std::make_shared<ProviderTables>(setup.provider_file())};
    return CaseBuilder(setup)
        .shape(std::to_string(size.bytes) + " bytes")
        .ours(pattern(pool, size.bytes))
        .against(allocator_names,
                 [&](const Peer& peer) { return pattern(AllocatorSource{peer.allocator()}, size.bytes); })
        .build();
  };
  return entry;
}

// A tensor of a pool of the core, beside the tensors that others make.
CaseEntry owner_entry(Setup& setup, const Size& size) {
  CaseEntry entry;
  entry.name = "pool/owner/" + size.name + "/1t";
  entry.bytes = size.bytes;
  entry.make = [&setup, size] {
    const Pool& pool = setup.engine(1).pool();
    const auto extent = static_cast<std::int64_t>(size.bytes / sizeof(double));
    const Array shape{nullptr, Element::f64, {extent}, {}};
    return CaseBuilder(setup)
        .shape(std::to_string(extent) + " f64")
        .ours(repeat([&pool, extent] {
          // Nothing is written: only the making of the owner is measured.
          const Tensor made = UninitializedTensor::in(pool, f64, {extent}).assume_written();
          do_not_optimize(made);
        }))
        .against({"libtorch"},
                 [&](const Peer& peer) {
                   return peer.view({ViewKind::empty, shape});
                 })
        .build();
  };
  return entry;
}

// A result that is made, written and dropped, the second and every later time.
CaseEntry second_output_entry(Setup& setup, const Size& size) {
  CaseEntry entry;
  entry.name = "pool/second_output/" + size.name + "/1t";
  entry.bytes = size.bytes * 2;
  entry.make = [&setup, size] {
    const auto fill = [](auto source, std::size_t bytes) {
      return repeat([=] {
        const auto block = source.take(bytes);
        std::memset(block, 1, bytes);
        source.give(block);
      });
    };
    const auto tables = std::make_shared<ProviderTables>(setup.provider_file());
    return CaseBuilder(setup)
        .shape(std::to_string(size.bytes) + " bytes, every byte written")
        .ours(repeat([tables, size] {
          void* address = nullptr;
          tenure_storage* const block = tables->acquire(size.bytes, address);
          std::memset(address, 1, size.bytes);
          tables->release(block);
        }))
        .against(allocator_names,
                 [&](const Peer& peer) { return fill(AllocatorSource{peer.allocator()}, size.bytes); })
        .build();
  };
  return entry;
}

}  // namespace

void add_pool_cases(Setup& setup, CaseList& cases) {
  Random random(setup.seed(), "pool");
  constexpr std::size_t kibi = 1024, mebi = kibi * kibi;
  const auto drawn = [&random](const char* name, std::int64_t low, std::int64_t high) {
    return Size{name, static_cast<std::size_t>(random.between(low, high))};
  };
  const auto hits = [](auto source, std::size_t bytes) { return hit(source, bytes); };
  for (const Size& size :
       {Size{"64B", 64}, Size{"4KiB", 4 * kibi}, Size{"32KiB", 32 * kibi}, Size{"1MiB", mebi},
        Size{"64MiB", 64 * mebi}, Size{"1GiB", 1024 * mebi}, drawn("drawn-1", 65, 30'000),
        drawn("drawn-2", 40'000, 4'000'000), drawn("drawn-3", 5'000'000, 90'000'000)}) {
    cases.push_back(pattern_entry(setup, "hit", size, 1, 1, hits));
  }
  const auto turns = [](auto source, std::size_t bytes) { return round_robin(source, bytes); };
  for (const Size& size :
       {Size{"64B", 64}, Size{"32KiB", 32 * kibi}, Size{"1MiB", mebi}, drawn("drawn-1", 100, 2'000'000)}) {
    cases.push_back(pattern_entry(setup, "round_robin_64", size, 64, 1, turns));
  }
  const auto hand_overs = [](auto source, std::size_t bytes) { return hand_over(source, bytes); };
  for (const Size& size :
       {Size{"64B", 64}, Size{"32KiB", 32 * kibi}, Size{"1MiB", mebi}, drawn("drawn-1", 100, 500'000)}) {
    cases.push_back(pattern_entry(setup, "hand_over", size, 256, 2, hand_overs));
  }
  for (const Size& size : {Size{"64B", 64}, Size{"1MiB", mebi}, drawn("drawn-1", 1000, 4'000'000)}) {
    cases.push_back(owner_entry(setup, size));
  }
  for (const Size& size : {Size{"64MiB", 64 * mebi}, drawn("drawn-1", 20'000'000, 100'000'000)}) {
    cases.push_back(second_output_entry(setup, size));
  }
}

}  // namespace tenure::bench
