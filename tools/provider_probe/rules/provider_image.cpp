// SPDX-License-Identifier: Apache-2.0
#include "rules/provider_image.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

namespace tenure::probe {

std::unique_ptr<ProviderImage> ProviderImage::open(const std::string& path, std::string& error) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    const char* words = ::dlerror();
    error = words != nullptr ? words : "dlopen failed without a reason";
    return nullptr;
  }
  std::unique_ptr<ProviderImage> image(new ProviderImage);
  image->entry_ = reinterpret_cast<tenure_provider_entry_function>(::dlsym(handle, TENURE_ENTRY_SYMBOL));
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) image->find_segments(map->l_addr);
  return image;
}

void ProviderImage::find_segments(std::uint64_t load_address) {
  struct Search {
    ProviderImage* image;
    std::uint64_t load_address;
  } search{this, load_address};
  ::dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* argument) {
        const auto& wanted = *static_cast<const Search*>(argument);
        if (module->dlpi_addr != wanted.load_address) return 0;
        for (ElfW(Half) i = 0; i < module->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = module->dlpi_phdr[i];
          if (header.p_type != PT_LOAD) continue;
          const std::uint64_t begin = module->dlpi_addr + header.p_vaddr;
          wanted.image->segments_.push_back({begin, begin + header.p_memsz});
        }
        return 1;
      },
      &search);
  for (const Segment& segment : segments_) {
    begin_ = begin_ == 0 ? segment.begin : std::min(begin_, segment.begin);
    end_ = std::max(end_, segment.end);
  }
}

bool ProviderImage::contains(const void* address, std::uint64_t bytes) const noexcept {
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  return std::ranges::any_of(segments_, [begin, bytes](const Segment& segment) {
    return segment.begin <= begin && begin <= segment.end && bytes <= segment.end - begin;
  });
}

}  // namespace tenure::probe
