// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/shared_use.hpp"

#include <string>

#include "shared/shared_record.hpp"
#include "tenure/base/access_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string describe(std::int32_t uses) {
  if (uses == SharedRecord::being_written) return "a guard that writes it";
  return uses == 1 ? "a guard that reads it" : std::to_string(uses) + " guards that read it";
}

[[noreturn]] void throw_in_use(const char* operation, std::int32_t uses, MapAccess access) {
  throw AccessError(
      AccessError::Kind::in_use, operation,
      {access == MapAccess::read ? "to read a shared storage" : "to write a shared storage alone",
       describe(uses), "let it end first"});
}

}  // namespace

void intrusive_ptr_add_ref(SharedRecord* record) noexcept {
  record->references.fetch_add(1, std::memory_order_relaxed);
}

void intrusive_ptr_release(SharedRecord* record) noexcept {
  if (record->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete record;
}

SharedUse::SharedUse(const char* operation, const SharedReference& record, MapAccess access)
    : record_(record), access_(access) {
  std::int32_t uses = record_->uses.load(std::memory_order_relaxed);
  std::int32_t entered = 0;
  do {
    const bool conflict = access == MapAccess::read ? uses == SharedRecord::being_written : uses != 0;
    if (conflict) throw_in_use(operation, uses, access);
    entered = access == MapAccess::read ? uses + 1 : SharedRecord::being_written;
  } while (!record_->uses.compare_exchange_weak(uses, entered, std::memory_order_acquire,
                                                std::memory_order_relaxed));
}

void SharedUse::end() noexcept {
  if (record_ == nullptr) return;
  record_->uses.fetch_add(access_ == MapAccess::read ? -1 : 1, std::memory_order_release);
  record_.reset();
}

}  // namespace tenure::inline TENURE_BUILD
