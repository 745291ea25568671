// SPDX-License-Identifier: Apache-2.0
#include "sdk/c_provider.h"

#include "tenure/sdk/provider.h"

int32_t copy_host_memory(const tenure_copy_desc* desc, tenure_status* status) {
  return tenure_copy_compact(desc, desc->source.address, UINT64_MAX, desc->target.address, UINT64_MAX,
                             status);
}

int is_compact_source(const tenure_copy_desc* desc) { return tenure_is_compact(desc, &desc->source); }

int32_t fail_in_c(tenure_status* status, const char* message) {
  return TENURE_FAIL(status, TENURE_ABORTED, message);
}

int32_t a_function_whose_name_is_longer_than_the_field_for_it(tenure_status* status) {
  return TENURE_FAIL(status, TENURE_ABORTED, "no");
}
