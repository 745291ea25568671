// SPDX-License-Identifier: Apache-2.0
// contract_user: uses every header and macro of the contract. Compiled as C and as C++ of every standard.
#include "tenure/provider_engine.h"
#include "tenure/provider_fault.h"
#include "tenure/provider_note.h"
#include "tenure/provider_pool.h"

TENURE_NOTE("org.tenure.test.contract-user", "0.1.0", TENURE_NOTE_FORK_SAFE | TENURE_NOTE_DEBUG);

static const tenure_storage_desc desc = {TENURE_HEAD(tenure_storage_desc, TENURE_KIND_STORAGE_DESC), 64, 64,
                                         TENURE_STORAGE_ZERO, 0};

int32_t tenure_provider_entry_v1_draft(const tenure_host* host, const tenure_provider** out,
                                       tenure_status* status) TENURE_NOEXCEPT {
  (void)out;
  (void)status;
  return TENURE_HAS_MEMBER(host, tenure_host, note_copy) && desc.bytes == 64 ? TENURE_OK
                                                                             : TENURE_UNIMPLEMENTED;
}
