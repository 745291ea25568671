// SPDX-License-Identifier: Apache-2.0
// conc_rules: calls from many threads at once.
#include <algorithm>
#include <array>
#include <barrier>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "rules/block.hpp"
#include "rules/open_instance.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"

namespace tenure::probe {

namespace {

constexpr std::uint32_t thread_count = 4;

// Runs `body(thread)` on several threads that start together.
template <class Body>
void on_threads(Body&& body) {
  std::barrier start(thread_count);
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < thread_count; ++thread) {
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      body(thread);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void storages(Trial& trial) {
  OpenInstance instance(trial);
  const auto domains = instance.host_domains();
  for (const DomainFacts& domain : domains) {
    std::barrier all_alive(thread_count);
    on_threads([&](std::uint32_t thread) {
      for (std::uint32_t round = 0; round < 50; ++round) {
        const std::uint64_t bytes = 64 + 200 * thread + round;
        Block block(instance, domain, bytes);
        const auto content = pattern(bytes, thread * 1000 + round);
        block.write(content);
        all_alive.arrive_and_wait();
        trial.expect(block.read(bytes) == content,
                     sentence("a storage in ", domain.name, " made by one of ", thread_count,
                              " threads does not hold what that thread wrote"));
        all_alive.arrive_and_wait();
      }
    });
  }
}

void maps(Trial& trial) {
  OpenInstance instance(trial);
  const auto domains = instance.host_domains();
  for (const DomainFacts& domain : domains) {
    Block block(instance, domain, 1000);
    const auto content = pattern(1000, 41);
    block.write(content);
    std::barrier all_mapped(thread_count);
    on_threads([&](std::uint32_t) {
      for (int round = 0; round < 50; ++round) {
        const HostMapping mapping(instance, block.storage(), TENURE_ACCESS_HOST_READ);
        all_mapped.arrive_and_wait();
        trial.expect(std::ranges::equal(content, std::span(mapping.address(), content.size())),
                     sentence("a storage in ", domain.name, ", read by ", thread_count,
                              " threads at once, shows other bytes than were written"));
        all_mapped.arrive_and_wait();
      }
    });
  }
}

constexpr std::array rules{
    Rule{.name = "conc.storages",
         .sentence = "Many threads at once may make, write, read and release storages of their own.",
         .if_ignored = "Parallel programs compute wrong results now and then.",
         .advice = "Guard the lists of the allocator; keep no block in a variable that threads share.",
         .needs = {"mem.pattern"},
         .deadline_s = 20,
         .check = storages},
    Rule{.name = "conc.maps",
         .sentence = "Many threads at once may map one storage for reading.",
         .if_ignored = "Parallel readers crash or see wrong bytes.",
         .advice = "Count the mappings of a storage with an atomic or under a lock.",
         .needs = {"mem.map-nests"},
         .deadline_s = 20,
         .check = maps},
};

}  // namespace

std::span<const Rule> conc_rules() noexcept { return rules; }

}  // namespace tenure::probe
