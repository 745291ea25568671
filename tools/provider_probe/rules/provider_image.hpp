// SPDX-License-Identifier: Apache-2.0
// provider_image: a provider's file, mapped into this process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tenure/provider_abi.h"

namespace tenure::probe {

// It stays mapped until the process ends, as in the core.
class ProviderImage {
 public:
  // Maps an absolute path with every symbol resolved. Null with the system's words in `error`.
  static std::unique_ptr<ProviderImage> open(const std::string& path, std::string& error);

  // Null when the file does not export it.
  tenure_provider_entry_function entry() const noexcept { return entry_; }
  // Whether all these bytes lie within the image.
  bool contains(const void* address, std::uint64_t bytes) const noexcept;
  // Of the whole mapping.
  std::uint64_t code_begin() const noexcept { return begin_; }
  std::uint64_t code_end() const noexcept { return end_; }

 private:
  struct Segment {
    std::uint64_t begin;
    std::uint64_t end;
  };

  ProviderImage() = default;
  void find_segments(std::uint64_t load_address);

  tenure_provider_entry_function entry_ = nullptr;
  std::vector<Segment> segments_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace tenure::probe
