// SPDX-License-Identifier: Apache-2.0
// allocators: glibc's malloc, mimalloc and TBB's scalable one.
#include <dlfcn.h>
#include <gnu/libc-version.h>

#include <cstdlib>
#include <stdexcept>

#include "../peer.hpp"

#ifdef TENURE_BENCH_HAS_TBB
#include <oneapi/tbb/scalable_allocator.h>
#include <oneapi/tbb/version.h>
#endif

namespace tenure::bench {

namespace {

class AllocatorPeer final : public Peer {
 public:
  AllocatorPeer(std::string name, std::string description, Allocator allocator)
      : name_(std::move(name)), description_(std::move(description)), allocator_(allocator) {}
  std::string name() const override { return name_; }
  std::string description() const override { return description_; }
  Allocator allocator() const override { return allocator_; }

 private:
  std::string name_;
  std::string description_;
  Allocator allocator_;
};

}  // namespace

std::unique_ptr<Peer> make_glibc_peer() {
  return std::make_unique<AllocatorPeer>("glibc", std::string("glibc ") + gnu_get_libc_version(),
                                         Allocator{&std::malloc, &std::free});
}

#ifdef TENURE_BENCH_HAS_MIMALLOC
// The library replaces malloc in a program that links it, so it is loaded for itself alone.
std::unique_ptr<Peer> make_mimalloc_peer() {
  void* const library = ::dlopen(TENURE_BENCH_HAS_MIMALLOC, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  const Allocator allocator{reinterpret_cast<void* (*)(std::size_t)>(::dlsym(library, "mi_malloc")),
                            reinterpret_cast<void (*)(void*)>(::dlsym(library, "mi_free"))};
  const auto version = reinterpret_cast<int (*)()>(::dlsym(library, "mi_version"));
  if (allocator.allocate == nullptr || allocator.free == nullptr || version == nullptr) {
    throw std::runtime_error(TENURE_BENCH_HAS_MIMALLOC ": mi_malloc, mi_free or mi_version is missing");
  }
  return std::make_unique<AllocatorPeer>("mimalloc", "version " + std::to_string(version()), allocator);
}
#endif

#ifdef TENURE_BENCH_HAS_TBB
std::unique_ptr<Peer> make_tbb_peer() {
  return std::make_unique<AllocatorPeer>("tbb",
                                         std::string("scalable_malloc of oneTBB ") + TBB_runtime_version(),
                                         Allocator{&scalable_malloc, &scalable_free});
}
#endif

}  // namespace tenure::bench
