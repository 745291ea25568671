// SPDX-License-Identifier: Apache-2.0
#include "memory/import_table.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <sstream>

#include "tenure/base/access_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

struct Stretch {
  std::uintptr_t last;
  const DomainRecord* domain;
};

// No two of its stretches share a byte. Never destroyed, since imports may outlive main.
class ImportTable {
 public:
  static ImportTable& of_process() {
    static ImportTable& table = *new ImportTable;
    return table;
  }

  // Adds a stretch, or gives the one that is in its way.
  std::optional<std::pair<std::uintptr_t, Stretch>> add(std::uintptr_t first, const Stretch& stretch) {
    const std::lock_guard lock(mutex_);
    const auto after = stretches_.upper_bound(stretch.last);
    if (after != stretches_.begin()) {
      const auto before = std::prev(after);
      if (before->second.last >= first) return *before;
    }
    stretches_.emplace_hint(after, first, stretch);
    return std::nullopt;
  }
  void remove(std::uintptr_t first) noexcept {
    const std::lock_guard lock(mutex_);
    stretches_.erase(first);
  }

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, Stretch> stretches_;  // by their first byte
};

std::string text_of(std::uintptr_t first, std::uintptr_t last) {
  std::ostringstream text;
  text << (last - first + 1) << " bytes at 0x" << std::hex << first;
  return std::move(text).str();
}

}  // namespace

ImportedRange::ImportedRange(std::string_view operation, const void* address, std::size_t bytes,
                             const DomainRecord& domain)
    : first_(reinterpret_cast<std::uintptr_t>(address)) {
  const std::uintptr_t last = first_ + (bytes - 1);
  const auto other = ImportTable::of_process().add(first_, {last, &domain});
  if (!other) return;
  throw AccessError(AccessError::Kind::imported, std::string(operation),
                    {text_of(first_, last) + ", imported once",
                     "a live import of " + text_of(other->first, other->second.last) + " into " +
                         other->second.domain->name,
                     "take views of that tensor, or let it end first"});
}

ImportedRange::~ImportedRange() { ImportTable::of_process().remove(first_); }

}  // namespace tenure::inline TENURE_BUILD
