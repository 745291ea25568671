/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_pool: the extension "tenure.ext.pool/1", recycled storage of one domain.
 *
 * A pooled block is an ordinary tenure_storage: mapped, copied and released through the instance
 * table. Only making it differs. storage_release hands the block back to its pool while the pool
 * lives and frees it otherwise, so a pool may be released while blocks are out.
 */
#ifndef TENURE_PROVIDER_POOL_H
#define TENURE_PROVIDER_POOL_H

#include "tenure/provider_abi.h"

#define TENURE_EXT_POOL "tenure.ext.pool/1"

typedef struct tenure_pool tenure_pool;

enum {
  TENURE_POOL_COUNT = 0,
  TENURE_POOL_POISON = 1,
  TENURE_POOL_GUARD = 2,
  TENURE_POOL_BYPASS = 3
};

typedef struct tenure_pool_options {
  tenure_head head;
  uint64_t retained_bytes_max; /* hard cap on idle memory; 0 retains nothing, UINT64_MAX: the default */
  uint32_t mode;               /* TENURE_POOL_* */
  uint32_t mode_is_set;        /* 0: the provider's default mode */
} tenure_pool_options;

typedef struct tenure_pool_statistics {
  tenure_head head;
  uint64_t buffers;        /* idle blocks, magazines included */
  uint64_t capacity_bytes; /* of the idle blocks */
  uint64_t live_count;
  uint64_t live_bytes;     /* capacity of blocks that are out and attached */
  uint64_t reserved_bytes; /* live and idle */
  uint64_t peak_bytes;     /* highest reserved_bytes */
  uint64_t hits;
  uint64_t misses;    /* upstream allocations */
  uint64_t evictions; /* idle blocks given back to the system */
  uint64_t detached;  /* blocks taken out of the pool for good, less those given back */
} tenure_pool_statistics;

/* All functions are ANY. A pool is released before its instance is closed, and after every other call on
 * it has returned. */
typedef struct tenure_pool_api {
  tenure_head head;
  int32_t (*pool_create)(tenure_instance*, uint64_t domain, const tenure_pool_options*, tenure_pool** out,
                         tenure_status*) TENURE_NOEXCEPT;
  void (*pool_release)(tenure_pool*) TENURE_NOEXCEPT;
  /* Owner: the core, until storage_release. Contents are unspecified. 0 bytes are legal; alignment_bytes
   * is a power of two, 0: the domain's minimum. */
  int32_t (*acquire)(tenure_pool*, uint64_t bytes, uint64_t alignment_bytes, tenure_storage_info* out,
                     tenure_status*) TENURE_NOEXCEPT;
  /* From now on storage_release frees the block instead of recycling it. Harmless on any storage. */
  void (*detach)(tenure_instance*, tenure_storage*) TENURE_NOEXCEPT;
  /* Takes a block back, detached or not, to be recycled at once: consumes the storage. A block that this
   * pool did not make is INVALID_ARGUMENT and stays the caller's. */
  int32_t (*give_back)(tenure_pool*, tenure_storage*, tenure_status*) TENURE_NOEXCEPT;
  int32_t (*statistics)(tenure_pool*, tenure_pool_statistics* out, tenure_status*) TENURE_NOEXCEPT;
  /* Evicts idle blocks until at most retained_bytes are kept; returns the bytes given back. */
  uint64_t (*trim)(tenure_pool*, uint64_t retained_bytes) TENURE_NOEXCEPT;
  /* The thread that had this index has ended: its magazines, in every pool, go to the shared lists. */
  void (*thread_exit)(tenure_instance*, uint32_t thread_index) TENURE_NOEXCEPT;
} tenure_pool_api;

#endif /* TENURE_PROVIDER_POOL_H */
