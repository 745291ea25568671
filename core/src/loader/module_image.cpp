// SPDX-License-Identifier: Apache-2.0
#include "loader/module_image.hpp"

#include <link.h>
#include <sys/mman.h>

#include <string>
#include <utility>

#include "loader/memory_map.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

std::optional<std::string> mapped_file_of(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (const MappedRange& range : read_memory_map()) {
    if (wanted >= range.begin && wanted < range.end) return range.file;
  }
  return std::nullopt;
}

}  // namespace

ModuleImage ModuleImage::around(const void* address) {
  struct Search {
    std::uintptr_t wanted;
    ModuleImage image;
  } search{reinterpret_cast<std::uintptr_t>(address), {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        auto& into = *static_cast<Search*>(out);
        std::vector<Range> ranges;
        bool inside = false;
        for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          ranges.push_back({begin, begin + segment.p_memsz});
          inside = inside || (into.wanted >= begin && into.wanted < begin + segment.p_memsz);
        }
        if (inside) into.image.ranges_ = std::move(ranges);
        return inside ? 1 : 0;
      },
      &search);
  return std::move(search.image);
}

bool ModuleImage::contains(const void* address, std::uint64_t bytes) const noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (const Range& range : ranges_) {
    if (begin >= range.begin && begin <= range.end && bytes <= range.end - begin) return true;
  }
  return false;
}

std::optional<bool> is_mapping_of(const void* address, const OpenedFile& file) {
  // Some file systems give mappings another device number than fstat, so a mapping of the open file is what
  // the other mapping is compared with. It is never read.
  void* const sample = ::mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (sample == MAP_FAILED) return std::nullopt;
  const auto of_file = mapped_file_of(sample);
  ::munmap(sample, 1);
  const auto of_address = mapped_file_of(address);
  if (!of_file || !of_address) return std::nullopt;
  return *of_file == *of_address;
}

}  // namespace tenure::inline TENURE_BUILD
