// SPDX-License-Identifier: Apache-2.0
// shared_use: one reading or writing use of a shared storage, and what keeps the storage alive.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <utility>

#include "tenure/memory/storage_map.hpp"

namespace tenure::inline TENURE_BUILD {

// The control block of a shared storage: the tensor that was taken over, the count of those who keep it, the
// version and the uses.
struct SharedRecord;
TENURE_API void intrusive_ptr_add_ref(SharedRecord* record) noexcept;
TENURE_API void intrusive_ptr_release(SharedRecord* record) noexcept;
using SharedReference = boost::intrusive_ptr<SharedRecord>;

// Reading uses of one storage go together; a writing use excludes all others. Nothing ever waits.
class TENURE_API SharedUse {
 public:
  // Throws AccessError (in_use) naming what is in the way.
  SharedUse(const char* operation, const SharedReference& record, MapAccess access);
  SharedUse(SharedUse&& other) noexcept : record_(std::move(other.record_)), access_(other.access_) {}
  SharedUse& operator=(SharedUse&& other) noexcept {
    if (this != &other) {
      end();
      record_ = std::move(other.record_);
      access_ = other.access_;
    }
    return *this;
  }
  ~SharedUse() { end(); }

  // Null after the end and for a moved-from use.
  SharedRecord* record() const noexcept { return record_.get(); }
  void end() noexcept;

 private:
  SharedReference record_;
  MapAccess access_;
};

}  // namespace tenure::inline TENURE_BUILD
