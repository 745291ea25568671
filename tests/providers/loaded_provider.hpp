// SPDX-License-Identifier: Apache-2.0
// loaded_provider: a provider's shared object, loaded by path, and instances of it, through its C tables.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "providers/call_status.hpp"
#include "providers/test_host.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_abi.h"

namespace tenure_test {

inline std::string_view text_of(const tenure_string& text) { return {text.data, text.bytes}; }

// Stays mapped until the process ends.
class LoadedProvider {
 public:
  explicit LoadedProvider(const char* path) {
    void* const image = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (image == nullptr) throw std::runtime_error(dlerror());
    const auto entry = reinterpret_cast<tenure_provider_entry_function>(dlsym(image, TENURE_ENTRY_SYMBOL));
    if (entry == nullptr) throw std::runtime_error(dlerror());
    CallStatus status;
    if (entry(host_.table(), &table_, status.get()) != TENURE_OK) throw std::runtime_error(status.message());
  }

  const tenure_provider& table() const noexcept { return *table_; }
  TestHost& host() noexcept { return host_; }

 private:
  TestHost host_;
  const tenure_provider* table_ = nullptr;
};

using OpenPairs = std::vector<std::pair<std::string, std::string>>;

// Calls open with the pairs as options; `instance` is set on success only.
inline std::int32_t open(LoadedProvider& provider, const OpenPairs& pairs, tenure_instance** instance,
                         CallStatus& status) {
  std::vector<tenure_string> keys, values;
  for (const auto& [key, value] : pairs) {
    keys.push_back({key.data(), key.size()});
    values.push_back({value.data(), value.size()});
  }
  auto args = tenure::abi::make_struct<tenure_open_args>();
  args.keys = keys.data();
  args.values = values.data();
  args.count = pairs.size();
  return provider.table().open(provider.host().table(), &args, instance, status.get());
}

// An instance that is closed with this. Its calls throw where a test cannot go on; a test of a refusal
// calls `api()` itself.
class OpenInstance {
 public:
  explicit OpenInstance(LoadedProvider& provider, const OpenPairs& pairs = {}) : provider_(provider) {
    CallStatus status;
    if (open(provider, pairs, &handle_, status) != TENURE_OK) throw std::runtime_error(status.message());
  }
  OpenInstance(const OpenInstance&) = delete;
  OpenInstance& operator=(const OpenInstance&) = delete;
  ~OpenInstance() { provider_.table().close(handle_); }

  tenure_instance* handle() const noexcept { return handle_; }
  const tenure_instance_api& api() const noexcept { return *provider_.table().instance; }
  TestHost& host() noexcept { return provider_.host(); }

  // The table of an extension, or null.
  template <class T>
  const T* extension(const char* id) const noexcept {
    return static_cast<const T*>(api().get_extension(handle_, id));
  }

  tenure_domain_info domain_info(std::uint64_t index) const {
    auto info = tenure::abi::make_struct<tenure_domain_info>();
    CallStatus status;
    require(api().domain_info(handle_, index, &info, status.get()), status);
    return info;
  }
  std::uint64_t domain(std::string_view name) const {
    for (std::uint64_t index = 0; index < api().domain_count(handle_); ++index) {
      if (text_of(domain_info(index).name) == name) return index;
    }
    throw std::runtime_error("no domain " + std::string(name));
  }
  tenure_domain_statistics statistics(std::uint64_t domain) const {
    auto statistics = tenure::abi::make_struct<tenure_domain_statistics>();
    CallStatus status;
    require(api().domain_statistics(handle_, domain, &statistics, status.get()), status);
    return statistics;
  }

  tenure_storage_info create(std::uint64_t domain, std::uint64_t bytes, std::uint64_t alignment_bytes = 0,
                             std::uint32_t flags = 0) const {
    auto desc = tenure::abi::make_struct<tenure_storage_desc>();
    desc.bytes = bytes;
    desc.alignment_bytes = alignment_bytes;
    desc.flags = flags;
    auto info = tenure::abi::make_struct<tenure_storage_info>();
    CallStatus status;
    require(api().storage_create(handle_, domain, &desc, &info, status.get()), status);
    return info;
  }
  std::int32_t import_memory(std::uint64_t domain, const tenure_import_desc& desc, tenure_storage_info& info,
                             CallStatus& status) const {
    info = tenure::abi::make_struct<tenure_storage_info>();
    return api().storage_import(handle_, domain, &desc, &info, status.get());
  }
  void release(tenure_storage* storage) const noexcept { api().storage_release(handle_, storage, nullptr); }

  tenure_mapping map(tenure_storage* storage, std::uint32_t access) const {
    auto mapping = tenure::abi::make_struct<tenure_mapping>();
    CallStatus status;
    require(api().storage_map(handle_, storage, access, &mapping, status.get()), status);
    return mapping;
  }
  void unmap(tenure_storage* storage, std::uint32_t access) const noexcept {
    api().storage_unmap(handle_, storage, access);
  }

  // Copies bytes from the start of one place to the start of another.
  std::int32_t copy_bytes(const tenure_place& source, const tenure_place& target, std::int64_t bytes,
                          CallStatus& status) const {
    auto desc = tenure::abi::make_struct<tenure_copy_desc>();
    desc.source = source;
    desc.target = target;
    desc.extents = &bytes;
    desc.rank = 1;
    desc.element_bytes = 1;
    return api().copy(handle_, &desc, nullptr, status.get());
  }

 private:
  static void require(std::int32_t code, const CallStatus& status) {
    if (code != TENURE_OK) throw std::runtime_error(status.message());
  }

  LoadedProvider& provider_;
  tenure_instance* handle_ = nullptr;
};

inline tenure_place place_of(tenure_storage* storage) noexcept { return {storage, nullptr, 0, nullptr}; }
inline tenure_place place_of(void* address) noexcept { return {nullptr, address, 0, nullptr}; }

}  // namespace tenure_test
