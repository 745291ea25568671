// SPDX-License-Identifier: Apache-2.0
// opened_file: a file that is open for reading, and what it was when it was opened.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// What makes two paths the same file.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

// Reads with offsets and never maps: a file that somebody cuts off meanwhile is a short read here, and a
// SIGBUS in a mapping.
class OpenedFile {
 public:
  // Never blocks, also not on a pipe. On failure: empty, and errno says why.
  static std::optional<OpenedFile> open(const std::string& path) noexcept;
  // Takes over a descriptor. On failure: empty, errno says why, and the descriptor is closed.
  static std::optional<OpenedFile> adopt(int descriptor) noexcept;

  OpenedFile(OpenedFile&& other) noexcept;
  OpenedFile& operator=(OpenedFile&& other) noexcept;
  ~OpenedFile();

  int descriptor() const noexcept { return descriptor_; }
  bool is_regular() const noexcept;
  bool is_directory() const noexcept;
  std::uint64_t size_bytes() const noexcept { return size_bytes_; }
  FileIdentity identity() const noexcept { return identity_; }
  std::uint32_t owner() const noexcept { return owner_; }
  std::uint32_t mode() const noexcept { return mode_; }

  // Fills all of `out` from that offset, or answers false.
  bool read(std::uint64_t offset_bytes, std::span<std::byte> out) const noexcept;

 private:
  explicit OpenedFile(int descriptor) noexcept : descriptor_(descriptor) {}

  int descriptor_;
  std::uint64_t size_bytes_ = 0;
  FileIdentity identity_;
  std::uint32_t owner_ = 0;
  std::uint32_t mode_ = 0;
};

}  // namespace tenure::inline TENURE_BUILD
