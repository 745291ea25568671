// SPDX-License-Identifier: Apache-2.0
// data_ptr: bytes that somebody else made, and the function that gives them back.
#pragma once

#include <cstddef>
#include <utility>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Sole owner of adopted bytes. The deleter gets the context, not the data, and runs exactly once: when the
// handle is destroyed, assigned to or reset, also when the data is null. Not copyable; a moved-from handle is
// empty. A null deleter means that there is nothing to give back.
class DataPtr {
 public:
  using Deleter = void (*)(void* context) noexcept;
  struct Parts {
    void* data = nullptr;
    void* context = nullptr;
    Deleter deleter = nullptr;
  };

  DataPtr() noexcept = default;
  // Owner: this handle, from now on.
  explicit DataPtr(const Parts& parts) noexcept : parts_(parts) {}
  DataPtr(DataPtr&& other) noexcept : parts_(other.release()) {}
  DataPtr& operator=(DataPtr&& other) noexcept {
    if (this != &other) {
      reset();
      parts_ = other.release();
    }
    return *this;
  }
  ~DataPtr() { reset(); }

  void* data() const noexcept { return parts_.data; }
  void* context() const noexcept { return parts_.context; }
  Deleter deleter() const noexcept { return parts_.deleter; }
  // True when there is neither data nor anything to give back.
  bool empty() const noexcept { return parts_.data == nullptr && parts_.deleter == nullptr; }

  // Owner: the caller, who must call deleter(context) once. This handle is empty afterwards.
  [[nodiscard]] Parts release() noexcept { return std::exchange(parts_, Parts{}); }
  // Gives the bytes back now.
  void reset() noexcept {
    const Parts parts = release();
    if (parts.deleter != nullptr) parts.deleter(parts.context);
  }

 private:
  Parts parts_;
};

}  // namespace tenure::inline TENURE_BUILD
