// SPDX-License-Identifier: Apache-2.0
#include "provider_tables.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include "tenure/abi/struct_head.hpp"

namespace tenure::bench {

namespace {

void ignore_log(tenure_host_context*, std::int32_t, tenure_string) noexcept {}
void* allocate(tenure_host_context*, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
  void* address = nullptr;
  return ::posix_memalign(&address, alignment_bytes, bytes) == 0 ? address : nullptr;
}
void release_scratch(tenure_host_context*, void* address) noexcept { std::free(address); }
std::int32_t is_exiting(tenure_host_context*) noexcept { return 0; }
std::uint32_t thread_index(tenure_host_context*) noexcept {
  static std::atomic<std::uint32_t> next{0};
  thread_local const std::uint32_t index = next.fetch_add(1);
  return index;
}
void ignore_copy(tenure_host_context*, std::uint64_t) noexcept {}
const void* no_extension(tenure_host_context*, const char*) noexcept { return nullptr; }

void require(std::int32_t code, const tenure_status& status) {
  if (code != TENURE_OK) throw std::runtime_error(status.message);
}

}  // namespace

ProviderTables::ProviderTables(const std::filesystem::path& file) : host_(abi::make_struct<tenure_host>()) {
  host_.abi_major = TENURE_ABI_MAJOR;
  host_.abi_minor = TENURE_ABI_MINOR;
  host_.log = &ignore_log;
  host_.allocate = &allocate;
  host_.free = &release_scratch;
  host_.is_exiting = &is_exiting;
  host_.thread_index = &thread_index;
  host_.note_copy = &ignore_copy;
  host_.get_extension = &no_extension;

  void* const image = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (image == nullptr) throw std::runtime_error(::dlerror());
  const auto entry = reinterpret_cast<tenure_provider_entry_function>(::dlsym(image, TENURE_ENTRY_SYMBOL));
  if (entry == nullptr) throw std::runtime_error(::dlerror());
  auto status = abi::make_struct<tenure_status>();
  require(entry(&host_, &provider_, &status), status);
  require(provider_->open(&host_, nullptr, &instance_, &status), status);
  pool_api_ = static_cast<const tenure_pool_api*>(api().get_extension(instance_, TENURE_EXT_POOL));
  if (pool_api_ == nullptr) {
    provider_->close(instance_);
    throw std::runtime_error(file.string() + ": this provider has no pools");
  }
  auto options = abi::make_struct<tenure_pool_options>();
  options.retained_bytes_max = UINT64_MAX;
  options.mode = TENURE_POOL_COUNT;
  options.mode_is_set = 1;
  const std::int32_t code = pool_api_->pool_create(instance_, 0, &options, &pool_, &status);
  if (code != TENURE_OK) provider_->close(instance_);
  require(code, status);
}

ProviderTables::~ProviderTables() {
  pool_api_->pool_release(pool_);
  provider_->close(instance_);
}

tenure_storage* ProviderTables::acquire(std::uint64_t bytes, void*& address) const {
  auto info = abi::make_struct<tenure_storage_info>();
  if (pool_api_->acquire(pool_, bytes, 0, &info, nullptr) != TENURE_OK) throw std::bad_alloc();
  address = info.address;
  return info.storage;
}

}  // namespace tenure::bench
