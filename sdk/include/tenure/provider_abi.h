/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_abi: the C contract between the Tenure core and a provider plugin.
 *
 * A provider is a shared object that exports one function, tenure_provider_entry_v1_draft, and carries
 * one ELF note, its identity card (provider_note.h). Everything else is reached through the tables declared
 * here. The rules have names; docs/provider_contract.md holds them and `provider-probe check` tests them.
 *
 * Words used on every function below:
 *   ANY    may be called from any thread, also concurrently on the same object.
 *   LIFE   open and close: one call at a time for each instance.
 *   Owner  who holds the thing afterwards. Whoever made memory frees it.
 *   Status a function that can fail returns a TENURE_* code and, only on failure, fills the caller's
 *          tenure_status, which may be null. On failure every output is left as the caller set it.
 *
 * Structs that cross the boundary start with a tenure_head. A reader takes the first
 * min(sizeof own, head.bytes) bytes and zero for the rest; larger is never an error. A writer of an
 * output writes at most the caller's head.bytes and leaves the head alone. Zero means "not reported".
 */
#ifndef TENURE_PROVIDER_ABI_H
#define TENURE_PROVIDER_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Until the draft is frozen, the symbol and the note say so, and any release may change it. */
#define TENURE_ABI_MAJOR 1u
#define TENURE_ABI_MINOR 0u
#define TENURE_ENTRY_SYMBOL "tenure_provider_entry_v1_draft"

#ifdef __cplusplus
#define TENURE_EXTERN_C extern "C"
#else
#define TENURE_EXTERN_C extern
#endif
#if defined(__cplusplus) && __cplusplus >= 201703L
#define TENURE_NOEXCEPT noexcept
#else
#define TENURE_NOEXCEPT
#endif
#define TENURE_EXPORT TENURE_EXTERN_C __attribute__((visibility("default")))

/* ---- Heads, strings, status ------------------------------------------------------------------ */

typedef struct tenure_head {
  uint32_t bytes; /* size of the whole struct that its writer knew */
  uint16_t kind;  /* TENURE_KIND_*: catches a wrong struct passed to the right function */
  uint16_t zero;
  const void* ext; /* null; a later minor version may chain a struct here */
} tenure_head;

/* The initialiser of a head, for `T name = {TENURE_HEAD(T, KIND), ...}` in C and C++. */
#define TENURE_HEAD(T, KIND) \
  { sizeof(T), (KIND), 0, NULL }

/* True when `pointer` reaches far enough to hold `member`: the only way to ask for a newer one. */
#define TENURE_HAS_MEMBER(pointer, T, member) \
  ((pointer)->head.bytes >= offsetof(T, member) + sizeof((pointer)->member))

enum {
  TENURE_KIND_STATUS = 1,
  TENURE_KIND_HOST = 2,
  TENURE_KIND_PROVIDER = 3,
  TENURE_KIND_INSTANCE_API = 4,
  TENURE_KIND_AVAILABILITY = 5,
  TENURE_KIND_OPEN_ARGS = 6,
  TENURE_KIND_DEVICE_INFO = 7,
  TENURE_KIND_DOMAIN_INFO = 8,
  TENURE_KIND_DOMAIN_STATISTICS = 9,
  TENURE_KIND_STORAGE_DESC = 10,
  TENURE_KIND_STORAGE_INFO = 11,
  TENURE_KIND_MAPPING = 12,
  TENURE_KIND_IMPORT_DESC = 13,
  TENURE_KIND_COPY_DESC = 14,
  TENURE_KIND_FILL_DESC = 15,
  TENURE_KIND_POOL_API = 32,
  TENURE_KIND_POOL_OPTIONS = 33,
  TENURE_KIND_POOL_STATISTICS = 34, /* 35: TENURE_KIND_POOL_SNAPSHOT of provider_pool.h */
  TENURE_KIND_ENGINE_API = 48,
  TENURE_KIND_ENGINE_OPTIONS = 49,
  TENURE_KIND_OP = 50,
  TENURE_KIND_OPERAND = 51,
  TENURE_KIND_FILL_ATTRIBUTES = 52,
  TENURE_KIND_PROGRAM_ATTRIBUTES = 53,
  TENURE_KIND_REDUCE_ATTRIBUTES = 54,
  TENURE_KIND_CONTRACT_ATTRIBUTES = 55,
  TENURE_KIND_TRIANGLE_ATTRIBUTES = 56,
  TENURE_KIND_AXIS_ATTRIBUTES = 57,
  TENURE_KIND_LINALG_ATTRIBUTES = 58,
  TENURE_KIND_FAULT_API = 64,
  TENURE_KIND_FAULT_SCRIPT = 65
};

/* Text that its writer owns: UTF-8, no terminator needed. Strings in tables live as long as the image. */
typedef struct tenure_string {
  const char* data;
  uint64_t bytes;
} tenure_string;

/* The canonical codes with the numbers that gRPC, Abseil, PJRT and IREE use. */
enum {
  TENURE_OK = 0,
  TENURE_CANCELLED = 1,
  TENURE_UNKNOWN = 2,
  TENURE_INVALID_ARGUMENT = 3,
  TENURE_DEADLINE_EXCEEDED = 4,
  TENURE_NOT_FOUND = 5,
  TENURE_ALREADY_EXISTS = 6,
  TENURE_PERMISSION_DENIED = 7,
  TENURE_RESOURCE_EXHAUSTED = 8,
  TENURE_FAILED_PRECONDITION = 9,
  TENURE_ABORTED = 10,
  TENURE_OUT_OF_RANGE = 11,
  TENURE_UNIMPLEMENTED = 12,
  TENURE_INTERNAL = 13,
  TENURE_UNAVAILABLE = 14,
  TENURE_DATA_LOSS = 15,
  TENURE_UNAUTHENTICATED = 16
};

#define TENURE_STATUS_RETRYABLE 1u /* the same call may succeed later */
#define TENURE_STATUS_STICKY 2u    /* the instance is unusable until it is opened again */

/* Details of a failure. The caller owns it, usually on its stack; nothing to free. */
typedef struct tenure_status {
  tenure_head head;
  int32_t code;        /* equals the returned code */
  int32_t native_code; /* errno, cudaError_t ...; 0: none */
  uint32_t flags;      /* TENURE_STATUS_* */
  uint32_t line;
  char native_domain[16]; /* "errno", "cuda" ...; NUL terminated */
  char site[48];          /* base name of the file and function; NUL terminated */
  char message[424];      /* UTF-8, NUL terminated, cut at a code point, never empty on failure */
} tenure_status;

/* ---- Opaque objects -------------------------------------------------------------------------- */

typedef struct tenure_host_context tenure_host_context; /* the core's */
typedef struct tenure_instance tenure_instance;         /* one opened use of a provider */
typedef struct tenure_storage tenure_storage;           /* one allocation; also the token that releases it */
typedef struct tenure_stream tenure_stream;             /* an order of work; null: complete on return */

/* ---- What the core lends to a provider --------------------------------------------------------- */

enum {
  TENURE_LOG_ERROR = 0,
  TENURE_LOG_WARNING = 1,
  TENURE_LOG_INFO = 2,
  TENURE_LOG_DEBUG = 3
};

/* Lives as long as the process. All functions are ANY and must be called with no provider lock held. */
typedef struct tenure_host {
  tenure_head head;
  uint32_t abi_major;
  uint32_t abi_minor;
  tenure_host_context* context; /* first argument of the functions below */
  /* Takes one line of text, which the core copies. */
  void (*log)(tenure_host_context*, int32_t level, tenure_string line) TENURE_NOEXCEPT;
  /* Scratch memory; null when refused. alignment_bytes is a power of two. Freed with `free` only. */
  void* (*allocate)(tenure_host_context*, uint64_t bytes, uint64_t alignment_bytes)TENURE_NOEXCEPT;
  void (*free)(tenure_host_context*, void* address) TENURE_NOEXCEPT;
  /* 1 once the process has begun to exit: driver calls are no longer safe. */
  int32_t (*is_exiting)(tenure_host_context*) TENURE_NOEXCEPT;
  /* A small number for the calling thread, unique among living threads and reused after a thread
   * ended. When a thread ends the core calls tenure_pool_api.thread_exit with its number. */
  uint32_t (*thread_index)(tenure_host_context*) TENURE_NOEXCEPT;
  /* Reports bytes that the provider copied beyond what it was asked for (staging), for the ledger. */
  void (*note_copy)(tenure_host_context*, uint64_t bytes) TENURE_NOEXCEPT;
  /* A table that the core offers under an extension id, or null. */
  const void* (*get_extension)(tenure_host_context*, const char* id)TENURE_NOEXCEPT;
} tenure_host;

/* ---- Facts about devices and domains ----------------------------------------------------------- */

typedef struct tenure_availability {
  tenure_head head;
  int32_t code; /* TENURE_OK or TENURE_UNAVAILABLE */
  uint32_t zero;
  char reason[240]; /* a sentence that a user understands; never empty when unavailable */
} tenure_availability;

/* Options of `open`: pairs of strings, checked by the provider. Unknown keys are INVALID_ARGUMENT. */
typedef struct tenure_open_args {
  tenure_head head;
  const tenure_string* keys;
  const tenure_string* values;
  uint64_t count;
} tenure_open_args;

enum {
  TENURE_MEMORY_OPAQUE = 0,
  TENURE_MEMORY_PAGEABLE = 1,
  TENURE_MEMORY_PINNED = 2,
  TENURE_MEMORY_DEVICE = 3,
  TENURE_MEMORY_MANAGED = 4,
  TENURE_MEMORY_SHARED = 5
};

#define TENURE_ACCESS_HOST_READ 1u
#define TENURE_ACCESS_HOST_WRITE 2u
#define TENURE_ACCESS_DEVICE 4u
#define TENURE_ACCESS_PEER 8u
/* Host and device see each other's writes without map and unmap; storage_info reports the address. */
#define TENURE_ACCESS_COHERENT 16u

/* A domain index that means plain host memory, which belongs to no provider. */
#define TENURE_DOMAIN_HOST UINT64_MAX

typedef struct tenure_device_info {
  tenure_head head;
  tenure_string name; /* "cpu:0" */
  int32_t dlpack_type;
  int32_t dlpack_id;
  uint64_t default_domain; /* index of the domain that outputs go to unless the user says otherwise */
} tenure_device_info;

typedef struct tenure_domain_info {
  tenure_head head;
  tenure_string name;   /* "cpu:0/pageable"; stable across opens */
  uint32_t memory;      /* TENURE_MEMORY_*; an unknown number means opaque: not host accessible */
  uint32_t access;      /* TENURE_ACCESS_* bits: what is true, not what is hoped */
  int32_t device_index; /* -1: none */
  int32_t numa_node;    /* -1: none */
  int32_t dlpack_type;
  int32_t dlpack_id;
  uint64_t alignment_bytes_min; /* every storage that the provider makes has at least this alignment */
  uint64_t granularity_bytes;
  uint64_t storage_bytes_max;
  uint64_t total_bytes;
  uint64_t quota_bytes;
} tenure_domain_info;

/* Live, reserved and peak include pooled and detached storage, also after its pool was released; the
 * calls do not. */
typedef struct tenure_domain_statistics {
  tenure_head head;
  uint64_t live_count;
  uint64_t live_bytes;     /* as requested */
  uint64_t reserved_bytes; /* live and retained, as taken from the system */
  uint64_t peak_bytes;     /* highest live_bytes; never falls */
  uint64_t create_calls;   /* that made a storage, imports included */
  uint64_t release_calls;
  uint64_t failed_calls; /* creates and imports that were refused */
} tenure_domain_statistics;

/* ---- Storage ----------------------------------------------------------------------------------- */

#define TENURE_STORAGE_ZERO 1u /* zero-filled; without it the contents are unspecified */

typedef struct tenure_storage_desc {
  tenure_head head;
  uint64_t bytes;           /* 0 is legal */
  uint64_t alignment_bytes; /* power of two; 0: the domain's minimum */
  uint32_t flags;           /* TENURE_STORAGE_*; an unknown one is INVALID_ARGUMENT */
  uint32_t zero;
} tenure_storage_desc;

typedef struct tenure_storage_info {
  tenure_head head;
  tenure_storage* storage;
  void* address;  /* host address of coherent host-visible memory; null: map it */
  uint64_t bytes; /* usable: at least what was asked for */
  uint64_t alignment_bytes;
  uint64_t allocation_id; /* never reused within one domain of one instance; 0: memory without identity */
} tenure_storage_info;

typedef struct tenure_mapping {
  tenure_head head;
  void* address;
  uint64_t bytes; /* at least the storage's */
} tenure_mapping;

/* Memory that the user made. `release` may be null; it is called exactly once, on any thread, after the
 * last use. Such memory may have less than alignment_bytes_min: the storage's alignment_bytes says what
 * it has, and every mapping of it has at least that. */
typedef struct tenure_import_desc {
  tenure_head head;
  void* address;
  uint64_t bytes;
  void* context;
  void (*release)(void* context) TENURE_NOEXCEPT;
} tenure_import_desc;

/* One end of a copy: a storage, or plain host memory when `storage` is null. */
typedef struct tenure_place {
  tenure_storage* storage;
  void* address;
  uint64_t offset_bytes;  /* from the start of the storage or of address, to index (0, 0, ...) */
  const int64_t* strides; /* in elements, one for each axis; null: compact, first axis fastest */
} tenure_place;

/* A copy of every index of a box. A provider that cannot walk strides answers UNIMPLEMENTED for
 * anything but two compact ends; overlapping ends are INVALID_ARGUMENT. */
typedef struct tenure_copy_desc {
  tenure_head head;
  tenure_place source;
  tenure_place target;
  const int64_t* extents;
  uint32_t rank; /* 0: one element */
  uint32_t element_bytes;
} tenure_copy_desc;

typedef struct tenure_fill_desc {
  tenure_head head;
  tenure_storage* storage;
  uint64_t offset_bytes;
  uint64_t bytes; /* a multiple of pattern_bytes */
  uint8_t pattern[16];
  uint32_t pattern_bytes; /* 1, 2, 4, 8 or 16 */
  uint32_t zero;
} tenure_fill_desc;

/* ---- The tables that a provider fills ---------------------------------------------------------- */

/* All functions are ANY. Required ones are non-null; (optional) ones may be null and then mean
 * UNIMPLEMENTED. Every function checks what only it can know; the core has checked the rest. */
typedef struct tenure_instance_api {
  tenure_head head;
  uint64_t (*device_count)(tenure_instance*) TENURE_NOEXCEPT;
  int32_t (*device_info)(tenure_instance*, uint64_t device, tenure_device_info* out,
                         tenure_status*) TENURE_NOEXCEPT;
  /* Constant for the life of the instance; at least one. */
  uint64_t (*domain_count)(tenure_instance*) TENURE_NOEXCEPT;
  int32_t (*domain_info)(tenure_instance*, uint64_t domain, tenure_domain_info* out,
                         tenure_status*) TENURE_NOEXCEPT;
  int32_t (*domain_statistics)(tenure_instance*, uint64_t domain, tenure_domain_statistics* out,
                               tenure_status*) TENURE_NOEXCEPT;
  /* 1 when `copy` works between the two domains, either of which may be TENURE_DOMAIN_HOST. */
  int32_t (*can_copy)(tenure_instance*, uint64_t source_domain, uint64_t target_domain) TENURE_NOEXCEPT;
  /* Owner: the core, until storage_release. RESOURCE_EXHAUSTED leaves the instance usable. */
  int32_t (*storage_create)(tenure_instance*, uint64_t domain, const tenure_storage_desc*,
                            tenure_storage_info* out, tenure_status*) TENURE_NOEXCEPT;
  /* Exactly once for each storage, however it was made: created, imported or taken from a pool. The
   * provider decides whether the bytes go back to a pool. Ordered after the work on `stream`. */
  void (*storage_release)(tenure_instance*, tenure_storage*, tenure_stream* stream) TENURE_NOEXCEPT;
  int32_t (*storage_info)(tenure_instance*, tenure_storage*, tenure_storage_info* out,
                          tenure_status*) TENURE_NOEXCEPT;
  /* A host address, valid until the matching unmap. `access` is HOST_READ, HOST_WRITE or both and must be
   * within the domain's mask: otherwise FAILED_PRECONDITION in words. Read maps nest; another map or a
   * transfer may exclude a map, and a map a transfer: FAILED_PRECONDITION with RETRYABLE for the second.
   * A map for writing shows the current bytes; what is not written keeps its value. */
  int32_t (*storage_map)(tenure_instance*, tenure_storage*, uint32_t access, tenure_mapping* out,
                         tenure_status*) TENURE_NOEXCEPT;
  /* With the access of its map. */
  void (*storage_unmap)(tenure_instance*, tenure_storage*, uint32_t access) TENURE_NOEXCEPT;
  /* (optional) On failure the memory stays the caller's and `release` is not called. */
  int32_t (*storage_import)(tenure_instance*, uint64_t domain, const tenure_import_desc*,
                            tenure_storage_info* out, tenure_status*) TENURE_NOEXCEPT;
  /* FAILED_PRECONDITION between domains that can_copy does not name. */
  int32_t (*copy)(tenure_instance*, const tenure_copy_desc*, tenure_stream* stream,
                  tenure_status*) TENURE_NOEXCEPT;
  int32_t (*fill)(tenure_instance*, const tenure_fill_desc*, tenure_stream* stream,
                  tenure_status*) TENURE_NOEXCEPT;
  /* Gives retained memory of a domain back until at most `retained_bytes` are kept; returns the bytes
   * given back. Best effort. */
  uint64_t (*trim)(tenure_instance*, uint64_t domain, uint64_t retained_bytes) TENURE_NOEXCEPT;
  /* A table for an exact extension id, valid until close, or null. */
  const void* (*get_extension)(tenure_instance*, const char* id)TENURE_NOEXCEPT;
} tenure_instance_api;

/* The provider itself. Constant, in the provider's image, the same at every call of the entry. */
typedef struct tenure_provider {
  tenure_head head;
  tenure_string id;      /* reverse DNS, [a-z0-9.-]; equals the note's */
  tenure_string name;    /* for people */
  tenure_string version; /* SemVer; equals the note's */
  tenure_string vendor;
  /* ANY. Quick, creates no device context. Says in `out` whether `open` can work here, and why not. */
  int32_t (*availability)(const tenure_host*, tenure_availability* out, tenure_status*) TENURE_NOEXCEPT;
  /* LIFE. Two opens are independent. `args` may be null. Owner: the core, until close. */
  int32_t (*open)(const tenure_host*, const tenure_open_args* args, tenure_instance** out,
                  tenure_status*) TENURE_NOEXCEPT;
  /* LIFE. Joins the instance's threads and gives all its memory back. The core has released every
   * object first. */
  void (*close)(tenure_instance*) TENURE_NOEXCEPT;
  const void* (*get_extension)(const char* id)TENURE_NOEXCEPT;
  const tenure_instance_api* instance;
} tenure_provider;

/* The one exported function. Quick; starts no thread, opens no file, touches no device. */
TENURE_EXPORT int32_t tenure_provider_entry_v1_draft(const tenure_host* host, const tenure_provider** out,
                                                     tenure_status* status) TENURE_NOEXCEPT;
typedef int32_t (*tenure_provider_entry_function)(const tenure_host*, const tenure_provider**,
                                                  tenure_status*) TENURE_NOEXCEPT;

#endif /* TENURE_PROVIDER_ABI_H */
