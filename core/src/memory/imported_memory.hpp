// SPDX-License-Identifier: Apache-2.0
// imported_memory: memory of the user's while a provider uses it.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "memory/import_table.hpp"
#include "tenure/memory/data_ptr.hpp"

namespace tenure::inline TENURE_BUILD {

// Made before the provider is asked, when the user still owns the memory, and destroyed by the provider's one
// call of `release`, which may come on any thread and after everything of the instance is gone.
class ImportedMemory {
 public:
  // Throws AccessError (imported).
  ImportedMemory(std::string_view operation, const void* address, std::size_t bytes,
                 const DomainRecord& domain)
      : range_(operation, address, bytes, domain) {}

  // From now on the memory is given back with this object.
  void own(DataPtr&& pointer) noexcept { pointer_ = std::move(pointer); }
  // What the provider calls; `context` is an ImportedMemory.
  static void release(void* context) noexcept { delete static_cast<ImportedMemory*>(context); }

 private:
  // In this order: the range is free before the deleter runs, after which the address may come again.
  DataPtr pointer_;
  ImportedRange range_;
};

}  // namespace tenure::inline TENURE_BUILD
