// SPDX-License-Identifier: Apache-2.0
// import_table: the imported memory of this process, so that none is imported twice at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "loader/instance_control.hpp"

namespace tenure::inline TENURE_BUILD {

// A stretch of memory that is imported for as long as this lives. The table of all of them is locked for the
// length of the constructor and of the destructor only.
class ImportedRange {
 public:
  // `bytes` is not 0. Throws AccessError (imported) naming the live import that shares a byte with this one.
  ImportedRange(std::string_view operation, const void* address, std::size_t bytes,
                const DomainRecord& domain);
  ImportedRange(const ImportedRange&) = delete;
  ImportedRange& operator=(const ImportedRange&) = delete;
  ~ImportedRange();

 private:
  std::uintptr_t first_;
};

}  // namespace tenure::inline TENURE_BUILD
