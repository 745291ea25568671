// SPDX-License-Identifier: Apache-2.0
// file_descriptor: sole owner of an open file descriptor.
#pragma once

#include <unistd.h>

#include <utility>

namespace tenure::probe {

class FileDescriptor {
 public:
  FileDescriptor() noexcept = default;
  // Takes the descriptor over; -1 is none.
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int number() const noexcept { return number_; }
  bool is_open() const noexcept { return number_ >= 0; }
  void close() noexcept {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

}  // namespace tenure::probe
