// SPDX-License-Identifier: Apache-2.0
// memory_map: what files are mapped into this process, and where.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

struct MappedRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::string file;  // device and inode in the kernel's own notation; the same for the same file
  std::string path;  // empty for memory that is no file's
};

// In order of address; empty where /proc is not mounted.
std::vector<MappedRange> read_memory_map();

}  // namespace tenure::inline TENURE_BUILD
