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
  TENURE_KIND_POOL_SNAPSHOT = 35
};

enum {
  TENURE_POOL_COUNT = 0,
  TENURE_POOL_POISON = 1,
  TENURE_POOL_GUARD = 2,
  TENURE_POOL_BYPASS = 3,
  TENURE_POOL_TRACE = 4 /* counts, and keeps its last events for snapshots */
};

typedef struct tenure_pool_options {
  tenure_head head;
  uint64_t retained_bytes_max; /* hard cap on idle memory; 0 retains nothing, UINT64_MAX: the default */
  uint32_t mode;               /* TENURE_POOL_* */
  uint32_t mode_is_set;        /* 0: the provider's default mode */
  uint64_t trace_events_max;   /* how many events TRACE keeps; 0: the provider's default */
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

enum {
  TENURE_POOL_BLOCK_LIVE = 0,
  TENURE_POOL_BLOCK_IDLE = 1,
  TENURE_POOL_BLOCK_DETACHED = 2 /* out, and no longer counted as reserved */
};

typedef struct tenure_pool_block {
  uint64_t id;      /* from 1, never reused within one pool */
  uint64_t address; /* of the first byte, to tell blocks apart and in order; not to be followed */
  uint64_t capacity_bytes;
  uint64_t alignment_bytes;
  uint32_t state; /* TENURE_POOL_BLOCK_* */
  uint32_t zero;
} tenure_pool_block;

/* What was asked of a pool, and what it did upstream. The events of one block are in the order in which
 * they happened; those of threads that did not wait for each other are in some order. */
enum {
  TENURE_POOL_EVENT_ACQUIRE = 0,
  TENURE_POOL_EVENT_RELEASE = 1,
  TENURE_POOL_EVENT_DETACH = 2,
  TENURE_POOL_EVENT_GIVE_BACK = 3,     /* a detached block is live again; its RELEASE follows */
  TENURE_POOL_EVENT_FREE_DETACHED = 4, /* a detached block was released, and freed */
  TENURE_POOL_EVENT_TRIM = 5,
  TENURE_POOL_EVENT_THREAD_EXIT = 6,
  TENURE_POOL_EVENT_ALLOCATE = 7, /* of a new block from upstream */
  TENURE_POOL_EVENT_EVICT = 8,    /* an idle block has to go; its FREE follows */
  TENURE_POOL_EVENT_FREE = 9      /* an attached block was given back upstream */
};

enum {
  TENURE_POOL_OUTCOME_DONE = 0,
  TENURE_POOL_OUTCOME_HIT = 1,    /* ACQUIRE of an idle block */
  TENURE_POOL_OUTCOME_MISS = 2,   /* ACQUIRE of a new one */
  TENURE_POOL_OUTCOME_REFUSED = 3 /* ACQUIRE or ALLOCATE without a block */
};

typedef struct tenure_pool_event {
  uint64_t sequence;        /* from 1, without a gap */
  uint64_t time_ns;         /* since the pool was made; never falls */
  uint64_t block;           /* id; 0: none */
  uint64_t capacity_bytes;  /* of the block, also of one that was refused */
  uint64_t bytes;           /* that ACQUIRE asked for; that TRIM leaves idle at most */
  uint64_t alignment_bytes; /* that ACQUIRE asked for */
  uint32_t thread_index;    /* of ACQUIRE, RELEASE and THREAD_EXIT */
  uint16_t kind;            /* TENURE_POOL_EVENT_* */
  uint16_t outcome;         /* TENURE_POOL_OUTCOME_* */
} tenure_pool_event;

/* The blocks of a pool in any order and, in mode TRACE, its last events, oldest first. */
typedef struct tenure_pool_snapshot {
  tenure_head head;
  const tenure_pool_block* blocks;
  const tenure_pool_event* events;
  uint64_t block_count;
  uint64_t event_count;
  uint64_t dropped_events; /* that came before those that are here */
  uint64_t retained_bytes_max;
  uint64_t trace_events_max;
  uint32_t mode;        /* TENURE_POOL_* */
  uint32_t block_bytes; /* from one block to the next */
  uint32_t event_bytes; /* from one event to the next */
  uint32_t zero;
} tenure_pool_snapshot;

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
  /* (optional, both or none) What the pool holds, and its events. It is of one moment only while no other
   * thread uses the pool. Owner: the core, until snapshot_release, which comes before pool_release. */
  int32_t (*snapshot_create)(tenure_pool*, const tenure_pool_snapshot** out, tenure_status*) TENURE_NOEXCEPT;
  void (*snapshot_release)(tenure_pool*, const tenure_pool_snapshot*) TENURE_NOEXCEPT;
} tenure_pool_api;

#endif /* TENURE_PROVIDER_POOL_H */
