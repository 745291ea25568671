// SPDX-License-Identifier: Apache-2.0
// cuda_provider: the entry of the CUDA provider.
#include <cstdint>
#include <string>
#include <vector>

#include "cuda_availability.hpp"
#include "cuda_driver.hpp"
#include "cuda_version.hpp"
#include "tenure/sdk/provider.hpp"

namespace tenure::cuda {

// The provider class. It has no domains yet and says so instead of being opened; the members that need an
// instance are there because a provider's table has no gaps.
class CudaInstance {
 public:
  struct Storage {};

  CudaInstance(const sdk::Host&, sdk::OpenOptions&) {}

  static std::string why_unavailable(const sdk::Host& host) {
    // The driver may already be gone.
    if (host.is_exiting()) return "the process is ending";
    return explain(ask_driver(), built_with_version());
  }

  std::vector<sdk::Domain> domains() const { return {}; }
  Storage create(std::uint64_t, const sdk::StorageRequest&) { throw no_domains(); }
  void release(Storage&) noexcept {}
  void* map(Storage&, std::uint32_t) { throw no_domains(); }

 private:
  static sdk::Error no_domains() { return {TENURE_UNIMPLEMENTED, "this version has no CUDA domains yet"}; }
};

}  // namespace tenure::cuda

TENURE_PROVIDER(tenure::cuda::CudaInstance, "org.tenure.cuda", "CUDA", "0.1.0", "Tenure", 0);
