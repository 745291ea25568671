/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_fault: the extension "tenure.ext.fault/1", with which a test makes a provider misbehave.
 */
#ifndef TENURE_PROVIDER_FAULT_H
#define TENURE_PROVIDER_FAULT_H

#include "tenure/provider_abi.h"

#define TENURE_EXT_FAULT "tenure.ext.fault/1"

enum {
  TENURE_FAULT_STORAGE_CREATE = 1,
  TENURE_FAULT_STORAGE_MAP = 2,
  TENURE_FAULT_COPY = 3,
  TENURE_FAULT_FILL = 4,
  TENURE_FAULT_POOL_ACQUIRE = 5,
  TENURE_FAULT_STORAGE_IMPORT = 6
};

enum {
  TENURE_FAULT_FAIL = 1,          /* returns `code` */
  TENURE_FAULT_SHORT_MAPPING = 2, /* storage_map reports one byte less than the storage has */
  TENURE_FAULT_MISALIGNED = 3,    /* map, create and a pool's acquire report an address one byte off */
  TENURE_FAULT_NULL_ADDRESS = 4   /* storage_map succeeds with a null address */
};

typedef struct tenure_fault_script {
  tenure_head head;
  uint32_t function; /* TENURE_FAULT_* of the first list */
  uint32_t effect;   /* TENURE_FAULT_* of the second list */
  int32_t code;      /* for FAIL */
  uint32_t zero;
  uint64_t skip_calls; /* calls that work before the fault begins */
  uint64_t fail_calls; /* calls that then fail; UINT64_MAX: all */
} tenure_fault_script;

/* ANY. Scripts of one instance add up; a call obeys the first script that matches. */
typedef struct tenure_fault_api {
  tenure_head head;
  int32_t (*fault_add)(tenure_instance*, const tenure_fault_script*, tenure_status*) TENURE_NOEXCEPT;
  void (*fault_clear)(tenure_instance*) TENURE_NOEXCEPT;
} tenure_fault_api;

#endif /* TENURE_PROVIDER_FAULT_H */
