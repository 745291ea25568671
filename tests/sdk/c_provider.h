// SPDX-License-Identifier: Apache-2.0
// c_provider: what the C functions of tenure/sdk/provider.h answer, for a test in C++.
#pragma once

#include <stdint.h>

#include "tenure/provider_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// tenure_copy_compact between plain host memory at the addresses in the description.
int32_t copy_host_memory(const tenure_copy_desc* desc, tenure_status* status) TENURE_NOEXCEPT;
int is_compact_source(const tenure_copy_desc* desc) TENURE_NOEXCEPT;
// What TENURE_FAIL leaves in the status, from a function with this name.
int32_t fail_in_c(tenure_status* status, const char* message) TENURE_NOEXCEPT;
int32_t a_function_whose_name_is_longer_than_the_field_for_it(tenure_status* status) TENURE_NOEXCEPT;

#ifdef __cplusplus
}
#endif
