// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/registry.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/enumerator.hpp"
#include "loader/module_loading.hpp"
#include "tenure/base/out_of_memory.hpp"

namespace tenure::inline TENURE_BUILD {

Registry::Registry(const Registry& other) : providers_(other.snapshot()) {}

Registry& Registry::operator=(const Registry& other) {
  auto theirs = other.snapshot();
  const std::lock_guard lock(mutex_);
  providers_.swap(theirs);
  return *this;
}

std::shared_ptr<const Registry::Providers> Registry::snapshot() const {
  const std::lock_guard lock(mutex_);
  return providers_;
}

void Registry::add(const Provider& provider) {
  for (;;) {
    const auto before = snapshot();
    if (std::ranges::find(*before, provider) != before->end()) return;
    auto more = std::make_shared<Providers>(*before);
    more->push_back(provider);
    // `before` outlives the lock, so that nothing is freed under it.
    const std::lock_guard lock(mutex_);
    if (providers_ != before) continue;  // another thread was first
    providers_ = std::move(more);
    return;
  }
}

// A shortage of memory in the process says nothing about the file, so it is no finding of the report.
LoadReport Registry::load_one(const char* operation, const std::filesystem::path& path,
                              const LoadOptions& options) {
  if (options.policy) require_enumerator(operation, "policy", *options.policy, PathPolicy::strict);
  try {
    LoadReport report = load_module(path, options);
    if (report.provider) add(*report.provider);
    return report;
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(operation, OutOfMemory::unknown_bytes, "host");
  }
}

LoadReport Registry::try_load(const std::filesystem::path& path, const LoadOptions& options) {
  return load_one("Registry::try_load", path, options);
}

Provider Registry::load(const std::filesystem::path& path, const LoadOptions& options) {
  LoadReport report = load_one("Registry::load", path, options);
  if (!report.provider) throw LoadError(std::move(report));
  return *report.provider;
}

std::vector<LoadReport> Registry::load_many(std::span<const std::filesystem::path> paths,
                                            const LoadOptions& options) {
  std::vector<LoadReport> reports;
  reports.reserve(paths.size());
  for (const std::filesystem::path& path : paths) {
    reports.push_back(load_one("Registry::load_many", path, options));
  }
  return reports;
}

std::vector<Provider> Registry::providers() const { return *snapshot(); }

std::optional<Provider> Registry::find(std::string_view id) const {
  const auto all = snapshot();
  for (const Provider& provider : *all) {
    if (provider.registered_id() == id) return provider;
  }
  for (const Provider& provider : *all) {
    if (provider.id() == id) return provider;
  }
  return std::nullopt;
}

}  // namespace tenure::inline TENURE_BUILD
