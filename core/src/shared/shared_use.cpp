// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/shared_use.hpp"

#include <string>

#include "base/counted.hpp"
#include "shared/shared_record.hpp"
#include "tenure/base/access_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string describe(std::int32_t uses) {
  if (uses == UseCount::writing) return "a guard that writes it";
  return counted(uses, "guard that reads it", "guards that read it");
}

[[noreturn]] void throw_in_use(const char* operation, std::int32_t uses, MapAccess access) {
  throw AccessError(
      AccessError::Kind::in_use, operation,
      {access == MapAccess::read ? "to read a shared storage" : "to write a shared storage alone",
       describe(uses), uses > 1 ? "let them end first" : "let it end first"});
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
  if (const std::int32_t uses = record_->uses.enter(access)) throw_in_use(operation, uses, access);
}

void SharedUse::end() noexcept {
  if (record_ == nullptr) return;
  record_->uses.leave(access_);
  record_.reset();
}

}  // namespace tenure::inline TENURE_BUILD
