// SPDX-License-Identifier: Apache-2.0
// setup: what all suites share: the provider's engines, the peers, the seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "peer.hpp"
#include "tenure/tenure.hpp"

namespace tenure::bench {

struct Settings {
  std::filesystem::path provider;  // empty: the CPU provider beside this program
  unsigned threads = 0;            // 0: as many as the machine has
  std::uint64_t seed = 0;
};

class Setup {
 public:
  // Loads and opens the provider. Throws LoadError, ProviderError.
  explicit Setup(const Settings& settings);

  const std::filesystem::path& provider_file() const noexcept { return provider_file_; }
  const Provider& provider() const noexcept { return provider_; }
  unsigned threads() const noexcept { return threads_; }
  std::uint64_t seed() const noexcept { return seed_; }
  // The thread counts that rows of parallel operations have: one, and all where that is more.
  std::vector<unsigned> thread_counts() const;

  // Serial for one thread. Made at the first call.
  const Engine& engine(unsigned threads);
  Engine new_engine(unsigned threads) const;
  const std::vector<std::unique_ptr<Peer>>& peers() const noexcept { return peers_; }
  // Null for a peer that was not built.
  const Peer* peer(std::string_view name) const noexcept;
  void set_peer_threads(unsigned threads) const;

 private:
  std::filesystem::path provider_file_;
  unsigned threads_;
  std::uint64_t seed_;
  Registry registry_;
  Provider provider_;
  Instance instance_;
  std::map<unsigned, Engine> engines_;
  std::vector<std::unique_ptr<Peer>> peers_;
};

// The provider that the build puts beside the folder of this program.
std::filesystem::path cpu_provider_file();
// Names of all peers that this program can have, built or not.
std::vector<std::string> all_peer_names();

}  // namespace tenure::bench
