// SPDX-License-Identifier: Apache-2.0
#include "loader/opened_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <utility>

namespace tenure::inline TENURE_BUILD {

std::optional<OpenedFile> OpenedFile::open(const std::string& path) noexcept {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return std::nullopt;
  return adopt(descriptor);
}

std::optional<OpenedFile> OpenedFile::adopt(int descriptor) noexcept {
  OpenedFile file(descriptor);
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) return std::nullopt;
  file.size_bytes_ = static_cast<std::uint64_t>(facts.st_size);
  file.identity_ = {facts.st_dev, facts.st_ino};
  file.owner_ = facts.st_uid;
  file.mode_ = facts.st_mode;
  return file;
}

OpenedFile::OpenedFile(OpenedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_),
      identity_(other.identity_),
      owner_(other.owner_),
      mode_(other.mode_) {}

OpenedFile& OpenedFile::operator=(OpenedFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  size_bytes_ = other.size_bytes_;
  identity_ = other.identity_;
  owner_ = other.owner_;
  mode_ = other.mode_;
  return *this;
}

OpenedFile::~OpenedFile() {
  if (descriptor_ < 0) return;
  const int error = errno;
  ::close(descriptor_);
  errno = error;
}

bool OpenedFile::is_regular() const noexcept { return S_ISREG(mode_); }
bool OpenedFile::is_directory() const noexcept { return S_ISDIR(mode_); }

bool OpenedFile::read(std::uint64_t offset_bytes, std::span<std::byte> out) const noexcept {
  constexpr auto offset_max = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
  while (!out.empty()) {
    if (offset_bytes > offset_max) return false;
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset_bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out = out.subspan(static_cast<std::size_t>(got));
    offset_bytes += static_cast<std::uint64_t>(got);
  }
  return true;
}

}  // namespace tenure::inline TENURE_BUILD
