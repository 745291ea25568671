// SPDX-License-Identifier: Apache-2.0
// provider_bytes: the bytes of an ELF file in memory, for tests that change some of them.
#pragma once

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "tenure/provider_note.h"

namespace tenure_test {

class ProviderBytes {
 public:
  explicit ProviderBytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    if (bytes_.size() < sizeof(Elf64_Ehdr))
      throw std::runtime_error("not a file of any use: " + path.string());
  }

  std::vector<char>& bytes() { return bytes_; }

  Elf64_Ehdr& header() { return at<Elf64_Ehdr>(0); }
  // The first segment of that type, and the last one.
  Elf64_Phdr& segment(std::uint32_t type) {
    for (std::uint16_t i = 0; i < header().e_phnum; ++i) {
      if (segment_at(i).p_type == type) return segment_at(i);
    }
    throw std::runtime_error("no such segment");
  }
  Elf64_Phdr& last_segment(std::uint32_t type) {
    for (std::uint16_t i = header().e_phnum; i > 0; --i) {
      if (segment_at(i - 1).p_type == type) return segment_at(i - 1);
    }
    throw std::runtime_error("no such segment");
  }
  // The value of that entry of the dynamic section.
  Elf64_Xword& dynamic_entry(Elf64_Sxword tag) {
    const Elf64_Phdr& dynamic = segment(PT_DYNAMIC);
    for (std::size_t place = 0; place < dynamic.p_filesz; place += sizeof(Elf64_Dyn)) {
      auto& entry = at<Elf64_Dyn>(dynamic.p_offset + place);
      if (entry.d_tag == tag) return entry.d_un.d_val;
    }
    throw std::runtime_error("no such dynamic entry");
  }
  tenure_note& note() {
    const std::array<char, 8> owner{'T', 'E', 'N', 'U', 0, 0, 0, 0};
    const std::uint32_t magic = TENURE_NOTE_MAGIC;
    std::array<char, 12> wanted{};
    std::memcpy(wanted.data(), owner.data(), owner.size());
    std::memcpy(wanted.data() + owner.size(), &magic, sizeof magic);
    const auto found = std::search(bytes_.begin(), bytes_.end(), wanted.begin(), wanted.end());
    if (found == bytes_.end()) throw std::runtime_error("no identity card");
    return at<tenure_note>(static_cast<std::size_t>(found - bytes_.begin()) - offsetof(tenure_note, owner));
  }

  std::string write(const std::filesystem::path& path) const {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    return path.string();
  }

 private:
  Elf64_Phdr& segment_at(int index) {
    return at<Elf64_Phdr>(header().e_phoff + static_cast<std::size_t>(index) * sizeof(Elf64_Phdr));
  }
  template <class T>
  T& at(std::size_t offset) {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T))
      throw std::runtime_error("out of range");
    return *reinterpret_cast<T*>(bytes_.data() + offset);
  }

  std::vector<char> bytes_;
};

}  // namespace tenure_test
