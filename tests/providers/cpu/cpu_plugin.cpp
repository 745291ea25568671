// SPDX-License-Identifier: Apache-2.0
#include "cpu_plugin.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>

namespace cpu_test {
namespace {

void ignore_log(tenure_host_context*, std::int32_t, tenure_string) noexcept {}
void* allocate(tenure_host_context*, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
  void* address = nullptr;
  return posix_memalign(&address, alignment_bytes, bytes) == 0 ? address : nullptr;
}
void release(tenure_host_context*, void* address) noexcept { std::free(address); }
std::int32_t is_exiting(tenure_host_context*) noexcept { return 0; }
std::uint32_t thread_index(tenure_host_context*) noexcept {
  static std::atomic<std::uint32_t> next{0};
  thread_local const std::uint32_t index = next++;
  return index;
}
void note_copy(tenure_host_context*, std::uint64_t) noexcept {}
const void* no_extension(tenure_host_context*, const char*) noexcept { return nullptr; }

const tenure_provider& load() {
  void* const library = dlopen(TENURE_CPU_FILE, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto entry = reinterpret_cast<tenure_provider_entry_function>(dlsym(library, TENURE_ENTRY_SYMBOL));
  if (entry == nullptr) throw std::runtime_error(dlerror());
  const tenure_provider* table = nullptr;
  auto status = tenure::abi::make_struct<tenure_status>();
  if (entry(&host(), &table, &status) != TENURE_OK) throw std::runtime_error(status.message);
  return *table;
}

}  // namespace

const tenure_host& host() {
  static const tenure_host table{tenure::abi::head_of<tenure_host>(),
                                 TENURE_ABI_MAJOR,
                                 TENURE_ABI_MINOR,
                                 nullptr,
                                 &ignore_log,
                                 &allocate,
                                 &release,
                                 &is_exiting,
                                 &thread_index,
                                 &note_copy,
                                 &no_extension};
  return table;
}

const tenure_provider& plugin() {
  static const tenure_provider& table = load();
  return table;
}

OpenResult open(const Options& options) {
  std::vector<tenure_string> keys, values;
  for (const auto& [key, value] : options) {
    keys.push_back({key.data(), key.size()});
    values.push_back({value.data(), value.size()});
  }
  auto args = tenure::abi::make_struct<tenure_open_args>();
  args.keys = keys.data();
  args.values = values.data();
  args.count = keys.size();
  auto status = tenure::abi::make_struct<tenure_status>();
  OpenResult result;
  result.code = plugin().open(&host(), &args, &result.instance, &status);
  result.message = status.message;
  return result;
}

std::vector<std::string> isa_levels() {
  std::vector<std::string> levels;
  for (const char* const level : {"baseline", "x86-64-v3", "x86-64-v4"}) {
    const OpenResult result = open({{"isa", level}});
    if (result.code != TENURE_OK) break;
    plugin().close(result.instance);
    levels.emplace_back(level);
  }
  return levels;
}

std::vector<Options> isa_levels_with_and_without_streaming() {
  std::vector<Options> all;
  for (const std::string& level : isa_levels()) {
    all.push_back({{"isa", level}});
    all.push_back({{"isa", level}, {"streaming_bytes", "0"}});
  }
  return all;
}

Instance::Instance(const Options& options) {
  const OpenResult result = open(options);
  if (result.code != TENURE_OK) throw std::runtime_error(result.message);
  handle_ = result.instance;
}

Instance::~Instance() { plugin().close(handle_); }

const tenure_engine_api& Instance::engines() const {
  return *static_cast<const tenure_engine_api*>(api().get_extension(handle_, TENURE_EXT_ENGINE));
}

const tenure_pool_api& Instance::pools() const {
  return *static_cast<const tenure_pool_api*>(api().get_extension(handle_, TENURE_EXT_POOL));
}

Engine::Engine(const Instance& instance, std::uint32_t mode, std::uint32_t threads, const Engine* threads_of)
    : api_(instance.engines()) {
  auto options = tenure::abi::make_struct<tenure_engine_options>();
  options.mode = mode;
  options.threads = threads;
  options.threads_of = threads_of == nullptr ? nullptr : threads_of->handle();
  auto status = tenure::abi::make_struct<tenure_status>();
  if (api_.engine_create(instance.handle(), &options, &handle_, &status) != TENURE_OK) {
    throw std::runtime_error(status.message);
  }
}

Engine::~Engine() { api_.engine_release(handle_); }

Outcome Engine::execute(std::uint32_t code, std::span<const tenure_operand> operands, const void* attributes,
                        std::uint32_t batch_policy) const {
  auto op = tenure::abi::make_struct<tenure_op>();
  op.code = code;
  op.operand_count = static_cast<std::uint32_t>(operands.size());
  op.operands = operands.data();
  op.operand_stride_bytes = sizeof(tenure_operand);
  op.attributes = attributes;
  op.batch_policy = batch_policy;
  auto status = tenure::abi::make_struct<tenure_status>();
  const std::int32_t result = api_.execute(handle_, &op, nullptr, &status);
  return {result, status.message};
}

bool Engine::supports(std::uint32_t code, std::uint32_t function,
                      const std::vector<tenure_dtype>& dtypes) const {
  return api_.supports(handle_, code, function, dtypes.data(), dtypes.size()) != 0;
}

}  // namespace cpu_test
