// SPDX-License-Identifier: Apache-2.0
// registry: a set of loaded providers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tenure/config.h"
#include "tenure/loader/load_error.hpp"
#include "tenure/loader/load_options.hpp"
#include "tenure/loader/load_report.hpp"
#include "tenure/loader/provider.hpp"

namespace tenure::inline TENURE_BUILD {

class AllocationDomain;
struct Device;
enum class DeviceType : std::int32_t;
class Storage;

// A value over the process's table of modules: which of them somebody asked for here. A file is mapped
// once for the process, however many registries load it, and never unmapped. Destroying a registry
// closes nothing. Copies are independent sets.
class TENURE_API Registry {
 public:
  Registry() = default;
  Registry(const Registry& other);
  Registry& operator=(const Registry& other);
  ~Registry() = default;

  // Loads a file and adds its provider; a file that is loaded already is a success. A relative path is
  // resolved against the current directory, once. Blocks while another thread loads the same file.
  // Throws LoadError; OutOfMemory when the process has too little for it, which is no failure of the file.
  Provider load(const std::filesystem::path& path, const LoadOptions& options = {});
  // The same, with the failure as a value. Throws OutOfMemory.
  LoadReport try_load(const std::filesystem::path& path, const LoadOptions& options = {});
  // One report for each path, in order; one that fails does not keep the others from being loaded.
  std::vector<LoadReport> load_many(std::span<const std::filesystem::path> paths,
                                    const LoadOptions& options = {});

  // In the order in which they were added.
  std::vector<Provider> providers() const;
  // By alias or id.
  std::optional<Provider> find(std::string_view id) const;

  // Where devices of this type keep their tensors: the default domain of the first one among the instances
  // that are open, in the order in which providers were added and instances opened. Nothing is opened for it.
  // Throws ProviderError (NOT_FOUND) that lists what is loaded.
  AllocationDomain allocator(DeviceType type) const;
  // Uninitialised bytes in the default domain of that very device. Throws as allocator() and
  // AllocationDomain::allocate do.
  Storage allocate(std::size_t bytes, const Device& device) const;

 private:
  using Providers = std::vector<Provider>;
  std::shared_ptr<const Providers> snapshot() const;
  void add(const Provider& provider);
  LoadReport load_one(const char* operation, const std::filesystem::path& path, const LoadOptions& options);

  mutable std::mutex mutex_;  // held for copying and exchanging the pointer only
  std::shared_ptr<const Providers> providers_ = std::make_shared<const Providers>();
};

}  // namespace tenure::inline TENURE_BUILD
