// SPDX-License-Identifier: Apache-2.0
#include "loader/memory_map.hpp"

#include <fstream>
#include <sstream>
#include <utility>

namespace tenure::inline TENURE_BUILD {

std::vector<MappedRange> read_memory_map() {
  std::vector<MappedRange> ranges;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    MappedRange range;
    char dash = 0;
    std::string permissions;
    std::string offset;
    std::string device;
    std::string inode;
    fields >> std::hex >> range.begin >> dash >> range.end >> permissions >> offset >> device >> inode;
    if (!fields) continue;
    range.file = device + " " + inode;
    std::getline(fields >> std::ws, range.path);
    if (!range.path.starts_with('/')) range.path.clear();
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace tenure::inline TENURE_BUILD
