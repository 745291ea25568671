// SPDX-License-Identifier: Apache-2.0
// library_cache: the system's index of libraries by name, which the dynamic linker asks.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

class LibraryCache {
 public:
  // A file that is missing, of another format or damaged is an empty index.
  static LibraryCache read(const std::string& path = "/etc/ld.so.cache");

  // Paths for this machine, best first.
  std::vector<std::string> find(std::string_view name) const;
  std::size_t size() const noexcept { return entries_.size(); }

 private:
  std::multimap<std::string, std::string, std::less<>> entries_;
};

}  // namespace tenure::inline TENURE_BUILD
