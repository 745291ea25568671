// SPDX-License-Identifier: Apache-2.0
#include "setup.hpp"

#include <algorithm>
#include <thread>

namespace tenure::bench {

namespace {

std::vector<std::unique_ptr<Peer>> built_peers() {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(make_memcpy_peer());
  peers.push_back(make_loop_peer());
  peers.push_back(make_streaming_loop_peer());
  peers.push_back(make_glibc_peer());
#ifdef TENURE_BENCH_HAS_MIMALLOC
  peers.push_back(make_mimalloc_peer());
#endif
#ifdef TENURE_BENCH_HAS_TBB
  peers.push_back(make_tbb_peer());
#endif
#ifdef TENURE_BENCH_HAS_CBLAS
  peers.push_back(make_cblas_peer());
#endif
#ifdef TENURE_BENCH_HAS_LAPACK
  peers.push_back(make_lapack_peer());
#endif
#ifdef TENURE_BENCH_HAS_EIGEN
  peers.push_back(make_eigen_peer());
#endif
#ifdef TENURE_BENCH_HAS_XTENSOR
  peers.push_back(make_xtensor_peer());
#endif
#ifdef TENURE_BENCH_HAS_LIBTORCH
  peers.push_back(make_libtorch_peer());
#endif
  return peers;
}

}  // namespace

std::filesystem::path cpu_provider_file() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "providers" /
         "libtenure_cpu.so";
}

std::vector<std::string> all_peer_names() {
  return {"memcpy", "loop",   "streaming_loop", "glibc",   "mimalloc", "tbb",
          "cblas",  "lapack", "eigen",          "xtensor", "libtorch"};
}

Setup::Setup(const Settings& settings)
    : provider_file_(settings.provider.empty() ? cpu_provider_file() : settings.provider),
      threads_(settings.threads != 0 ? settings.threads : std::max(1u, std::thread::hardware_concurrency())),
      seed_(settings.seed),
      provider_(registry_.load(provider_file_)),
      instance_(provider_.open()),
      peers_(built_peers()) {}

std::vector<unsigned> Setup::thread_counts() const {
  return threads_ == 1 ? std::vector{1u} : std::vector{1u, threads_};
}

const Engine& Setup::engine(unsigned threads) {
  const auto found = engines_.find(threads);
  return found != engines_.end() ? found->second
                                 : engines_.emplace(threads, new_engine(threads)).first->second;
}

Engine Setup::new_engine(unsigned threads) const {
  EngineOptions options;
  options.pool.mode = PoolMode::count;
  if (threads > 1) {
    options.mode = EngineMode::parallel;
    options.threads = threads;
  }
  return instance_.engine(options);
}

const Peer* Setup::peer(std::string_view name) const noexcept {
  const auto found =
      std::ranges::find_if(peers_, [name](const auto& candidate) { return candidate->name() == name; });
  return found == peers_.end() ? nullptr : found->get();
}

void Setup::set_peer_threads(unsigned threads) const {
  for (const auto& each : peers_) each->set_threads(threads);
}

}  // namespace tenure::bench
