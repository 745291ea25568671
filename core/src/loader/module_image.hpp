// SPDX-License-Identifier: Apache-2.0
// module_image: the memory that a mapped file fills, and which file that is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "loader/opened_file.hpp"
#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

class ModuleImage {
 public:
  // Of the module that the address is in; empty when it is in none.
  static ModuleImage around(const void* address);

  // All of these bytes are in one of its segments.
  bool contains(const void* address, std::uint64_t bytes) const noexcept;
  bool empty() const noexcept { return ranges_.empty(); }

 private:
  struct Range {
    std::uintptr_t begin;
    std::uintptr_t end;
  };
  std::vector<Range> ranges_;
};

// Whether the memory at `address` is a mapping of the file that is open; empty when that cannot be known.
std::optional<bool> is_mapping_of(const void* address, const OpenedFile& file);

}  // namespace tenure::inline TENURE_BUILD
