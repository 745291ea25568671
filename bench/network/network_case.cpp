// SPDX-License-Identifier: Apache-2.0
#include "network_case.hpp"

#include <chrono>
#include <cmath>
#include <iomanip>
#include <memory>

#include "../case_builder.hpp"
#include "../mismatch.hpp"
#include "contraction.hpp"

namespace tenure::bench {

namespace {

std::string shape_of(const NetworkInstance& instance) {
  return std::to_string(instance.tensors.size()) + " tensors, " + std::to_string(instance.extents.size()) +
         " indices";
}

// Both add up the same terms in other orders.
void require_same(const std::vector<double>& ours, const std::vector<double>& theirs) {
  if (ours.size() != theirs.size())
    throw Mismatch("ours and libtorch differ in how many elements the result has");
  double norm = 0, difference = 0;
  for (std::size_t at = 0; at < ours.size(); ++at) {
    norm += ours[at] * ours[at];
    difference += (ours[at] - theirs[at]) * (ours[at] - theirs[at]);
  }
  if (std::sqrt(difference) > 1e-9 * std::max(1.0, std::sqrt(norm))) {
    throw Mismatch("ours and libtorch differ by " + std::to_string(std::sqrt(difference)) +
                   " in a result of norm " + std::to_string(std::sqrt(norm)));
  }
}

CaseEntry time_entry(Setup& setup, const NetworkInstance& instance, unsigned threads) {
  CaseEntry entry;
  entry.name = "network/" + instance.name + '/' + std::to_string(threads) + 't';
  entry.bytes = Contraction::bytes(instance);
  entry.threads = threads;
  entry.make = [&setup, instance, threads] {
    const auto contraction = std::make_shared<Contraction>(instance, setup.seed());
    const Engine& engine = setup.engine(threads);
    CaseBuilder builder(setup);
    builder.shape(shape_of(instance)).ours(repeat([contraction, &engine] {
      const Tensor result = contraction->run(engine);
      do_not_optimize(result);
    }));
    NetworkRun theirs;
    builder.against({"libtorch"}, [&](const Peer& peer) {
      theirs = peer.network(make_peer_job(instance, contraction->arrays()));
      return repeat([run = theirs] { do_not_optimize(run()); });
    });
    Case made = builder.build();
    made.verify = [contraction, &engine, theirs] {
      if (theirs) require_same(contraction->elements(contraction->run(engine)), theirs()());
    };
    return made;
  };
  return entry;
}

CaseEntry allocation_entry(Setup& setup, const NetworkInstance& instance) {
  CaseEntry entry;
  entry.name = "network/" + instance.name + "/upstream_allocations";
  entry.bytes = Contraction::bytes(instance);
  entry.unit = "blocks";
  entry.make = [&setup, instance] {
    const auto contraction = std::make_shared<Contraction>(instance, setup.seed());
    const auto engine = std::make_shared<Engine>(setup.new_engine(setup.threads()));
    contraction->run(*engine);
    return CaseBuilder(setup)
        .shape(shape_of(instance))
        .ours_sampled([contraction, engine](std::uint64_t) {
          const std::uint64_t before = engine->pool_statistics().misses;
          contraction->run(*engine);
          return static_cast<double>(engine->pool_statistics().misses - before);
        })
        .build();
  };
  return entry;
}

template <class F>
double milliseconds(const F& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Depends on the order of the elements.
double checksum(const std::vector<double>& elements) {
  double sum = 0;
  for (std::size_t at = 0; at < elements.size(); ++at) {
    sum += elements[at] * (1 + static_cast<double>(at % 97) / 97);
  }
  return sum;
}

}  // namespace

void add_instance_cases(Setup& setup, const std::vector<NetworkInstance>& instances, CaseList& cases) {
  for (const NetworkInstance& instance : instances) {
    for (const unsigned threads : setup.thread_counts())
      cases.push_back(time_entry(setup, instance, threads));
    cases.push_back(allocation_entry(setup, instance));
  }
}

void print_two_runs(Setup& setup, const NetworkInstance& instance, std::ostream& out) {
  const Contraction contraction(instance, setup.seed());
  const Engine engine = setup.new_engine(setup.threads());
  out << "network " << instance.name << ", " << shape_of(instance) << ", " << instance.path.size()
      << " steps, " << setup.threads() << " threads, seed " << setup.seed() << '\n';
  out << std::setprecision(17);
  PoolStatistics before;
  for (const char* run : {"first", "second"}) {
    const LedgerScope scope;
    std::optional<Tensor> result;
    const double time_ms = milliseconds([&] { result = contraction.run(engine); });
    const LedgerCounts ledger = scope.counts();
    const PoolStatistics pool = engine.pool_statistics();
    out << run << " run: " << std::setprecision(4) << time_ms << " ms, checksum " << std::setprecision(17)
        << checksum(contraction.elements(*result)) << '\n'
        << "  ledger: " << ledger.owners_created << " owners, " << ledger.copies << " named copies of "
        << ledger.bytes_copied << " bytes, " << ledger.mappings << " maps\n"
        << "  pool: " << pool.hits - before.hits << " hits, " << pool.misses - before.misses
        << " allocations from the system, " << pool.evictions - before.evictions << " evictions, peak "
        << pool.peak_bytes << " bytes, idle " << pool.capacity_bytes << " bytes in " << pool.buffers
        << " blocks\n";
    before = pool;
  }
  const Peer* torch = setup.peer("libtorch");
  if (torch == nullptr) {
    out << "libtorch: not built\n";
    return;
  }
  setup.set_peer_threads(setup.threads());
  const NetworkRun run = torch->network(make_peer_job(instance, contraction.arrays()));
  for (const char* number : {"first", "second"}) {
    NetworkResult result;
    const double time_ms = milliseconds([&] { result = run(); });
    out << "libtorch, " << number << " run: " << std::setprecision(4) << time_ms << " ms, checksum "
        << std::setprecision(17) << checksum(result()) << '\n';
  }
  out.flush();
}

}  // namespace tenure::bench
