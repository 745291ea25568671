/* SPDX-License-Identifier: Apache-2.0
 *
 * provider: the rules of the contract that every provider written in C needs, as C11 functions.
 *
 * Authors in C++ use provider.hpp, which does this and more. Nothing here keeps state or allocates.
 */
#ifndef TENURE_SDK_PROVIDER_H
#define TENURE_SDK_PROVIDER_H

#include <string.h>

#include "tenure/provider_abi.h"
#include "tenure/provider_note.h"

/* The initialiser of a tenure_string from a literal. */
#define TENURE_TEXT(LITERAL) \
  { (LITERAL), sizeof(LITERAL) - 1 }

/* Fills the caller's status, which may be null, and returns `code`: `return TENURE_FAIL(status, ...);` */
#define TENURE_FAIL(STATUS, CODE, MESSAGE) \
  tenure_fail((STATUS), (CODE), (MESSAGE), __FILE__, __func__, __LINE__)

/* `message` is not empty; it is cut between two code points where it does not fit. */
static inline int32_t tenure_fail(tenure_status* status, int32_t code, const char* message, const char* file,
                                  const char* function, uint32_t line) {
  if (status == NULL) return code;
  tenure_status own = {.head = status->head, .code = code, .line = line};
  const char* const slash = strrchr(file, '/');
  strncpy(own.site, slash != NULL ? slash + 1 : file, sizeof own.site - 1);
  strncat(own.site, ":", sizeof own.site - 1 - strlen(own.site));
  strncat(own.site, function, sizeof own.site - 1 - strlen(own.site));
  size_t bytes = strlen(message);
  if (bytes >= sizeof own.message) {
    bytes = sizeof own.message - 1;
    while (((unsigned char)message[bytes] & 0xC0u) == 0x80u) --bytes;
  }
  memcpy(own.message, message, bytes);
  memcpy(status, &own, own.head.bytes < sizeof own ? own.head.bytes : sizeof own);
  return code;
}

/* Reads what the caller's struct `in` has of `own`, which is zero where `in` is shorter. */
static inline void tenure_read(void* own, size_t own_bytes, const void* in) {
  const uint32_t bytes = ((const tenure_head*)in)->bytes;
  memset(own, 0, own_bytes);
  memcpy(own, in, bytes < own_bytes ? bytes : own_bytes);
}

/* Writes of `own` what the caller's struct `out` has room for, and leaves the caller's head as it is. */
static inline int32_t tenure_write(void* out, const void* own, size_t own_bytes) {
  const uint32_t bytes = ((const tenure_head*)out)->bytes;
  if (bytes > sizeof(tenure_head)) {
    memcpy((char*)out + sizeof(tenure_head), (const char*)own + sizeof(tenure_head),
           (bytes < own_bytes ? bytes : own_bytes) - sizeof(tenure_head));
  }
  return TENURE_OK;
}

/* The same for the facts of the only device or domain: OUT_OF_RANGE for an index other than 0. */
static inline int32_t tenure_write_first(uint64_t index, void* out, const void* own, size_t own_bytes,
                                         tenure_status* status) {
  if (index == 0) return tenure_write(out, own, own_bytes);
  return TENURE_FAIL(status, TENURE_OUT_OF_RANGE,
                     "this provider has one device and one domain, both with index 0");
}

/* Whether [offset_bytes, offset_bytes + bytes) lies within storage_bytes. */
static inline int tenure_is_within(uint64_t storage_bytes, uint64_t offset_bytes, uint64_t bytes) {
  return offset_bytes <= storage_bytes && bytes <= storage_bytes - offset_bytes;
}

/* The bytes that a box holds when it is compact, or UINT64_MAX when they do not fit in 63 bits. */
static inline uint64_t tenure_box_bytes(const tenure_copy_desc* desc) {
  uint64_t bytes = desc->element_bytes;
  int is_too_large = 0;
  for (uint32_t axis = 0; axis < desc->rank; ++axis) {
    const uint64_t extent = (uint64_t)desc->extents[axis];
    if (extent == 0) return 0;
    is_too_large = is_too_large || __builtin_mul_overflow(bytes, extent, &bytes) || bytes > INT64_MAX;
  }
  return is_too_large ? UINT64_MAX : bytes;
}

/* Whether one end of a copy is compact: its first axis the fastest, without gaps. */
static inline int tenure_is_compact(const tenure_copy_desc* desc, const tenure_place* place) {
  int64_t stride = 1;
  for (uint32_t axis = 0; axis < desc->rank && place->strides != NULL; ++axis) {
    if (desc->extents[axis] != 1 && place->strides[axis] != stride) return 0;
    if (__builtin_mul_overflow(stride, desc->extents[axis], &stride)) return 0;
  }
  return 1;
}

/* Copies between two compact ends in host memory: UNIMPLEMENTED for strides, INVALID_ARGUMENT for an
 * overlap, a missing address or a box that no memory holds, OUT_OF_RANGE beyond the bytes of an end
 * (UINT64_MAX: not known). `source` and `target` are the addresses that the places' offsets count from. */
static inline int32_t tenure_copy_compact(const tenure_copy_desc* desc, const void* source,
                                          uint64_t source_bytes, void* target, uint64_t target_bytes,
                                          tenure_status* status) {
  const uint64_t bytes = tenure_box_bytes(desc);
  if (bytes == 0) return TENURE_OK;
  if (bytes == UINT64_MAX) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "the box is larger than any memory");
  }
  if (!tenure_is_compact(desc, &desc->source) || !tenure_is_compact(desc, &desc->target)) {
    return TENURE_FAIL(status, TENURE_UNIMPLEMENTED, "this provider copies between compact ends only");
  }
  if (!tenure_is_within(source_bytes, desc->source.offset_bytes, bytes) ||
      !tenure_is_within(target_bytes, desc->target.offset_bytes, bytes)) {
    return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, "an end of the copy reaches beyond its storage");
  }
  if (source == NULL || target == NULL) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "an end of the copy has no address");
  }
  const uintptr_t first = (uintptr_t)source + desc->source.offset_bytes;
  const uintptr_t second = (uintptr_t)target + desc->target.offset_bytes;
  if (first < second + bytes && second < first + bytes) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "source and target overlap");
  }
  memcpy((char*)target + desc->target.offset_bytes, (const char*)source + desc->source.offset_bytes, bytes);
  return TENURE_OK;
}

/* Fills a range of the `storage_bytes` at `address`: INVALID_ARGUMENT for a pattern that does not divide
 * the range, OUT_OF_RANGE beyond the storage. */
static inline int32_t tenure_fill_range(const tenure_fill_desc* desc, void* address, uint64_t storage_bytes,
                                        tenure_status* status) {
  const uint32_t pattern = desc->pattern_bytes;
  if (pattern == 0 || pattern > 16 || (pattern & (pattern - 1)) != 0 || desc->bytes % pattern != 0) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT,
                       "expected a pattern of 1, 2, 4, 8 or 16 bytes and a multiple of it");
  }
  if (!tenure_is_within(storage_bytes, desc->offset_bytes, desc->bytes)) {
    return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, "the range reaches beyond the storage");
  }
  char* const first = (char*)address + desc->offset_bytes;
  for (uint64_t i = 0; i < desc->bytes; i += pattern) memcpy(first + i, desc->pattern, pattern);
  return TENURE_OK;
}

/* Slots of a provider whose memory is always mapped, that keeps nothing back, offers no extension and
 * works on every machine. */
static inline void tenure_unmap_nothing(tenure_instance* instance, tenure_storage* storage, uint32_t access) {
  (void)instance, (void)storage, (void)access;
}
static inline uint64_t tenure_trim_nothing(tenure_instance* instance, uint64_t domain,
                                           uint64_t retained_bytes) {
  (void)instance, (void)domain, (void)retained_bytes;
  return 0;
}
static inline const void* tenure_no_instance_extension(tenure_instance* instance, const char* id) {
  (void)instance, (void)id;
  return NULL;
}
static inline const void* tenure_no_provider_extension(const char* id) {
  (void)id;
  return NULL;
}
static inline int32_t tenure_always_available(const tenure_host* host, tenure_availability* out,
                                              tenure_status* status) {
  (void)host, (void)status;
  const tenure_availability own = {.code = TENURE_OK};
  return tenure_write(out, &own, sizeof own);
}

/* Refuses the options of `open`, for a provider that takes none. `args` may be null. */
static inline int32_t tenure_take_no_options(const tenure_open_args* args, tenure_status* status) {
  tenure_open_args own = {.count = 0};
  if (args != NULL) tenure_read(&own, sizeof own, args);
  if (own.count == 0) return TENURE_OK;
  return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "this provider takes no options");
}

/* Makes this image a provider that works on every machine and has no extensions of its own: its note, its
 * table and its one exported function. Write it once, at file scope. API is the name of a constant
 * tenure_instance_api, FLAGS are TENURE_NOTE_* bits, ID, NAME, VERSION and VENDOR string literals. */
#define TENURE_C_PROVIDER(ID, NAME, VERSION, VENDOR, FLAGS, OPEN, CLOSE, API)                  \
  TENURE_NOTE(ID, VERSION, FLAGS);                                                             \
  static const tenure_provider tenure_provider_of_this_image = {                               \
      .head = TENURE_HEAD(tenure_provider, TENURE_KIND_PROVIDER),                              \
      .id = TENURE_TEXT(ID),                                                                   \
      .name = TENURE_TEXT(NAME),                                                               \
      .version = TENURE_TEXT(VERSION),                                                         \
      .vendor = TENURE_TEXT(VENDOR),                                                           \
      .availability = tenure_always_available,                                                 \
      .open = OPEN,                                                                            \
      .close = CLOSE,                                                                          \
      .get_extension = tenure_no_provider_extension,                                           \
      .instance = &API};                                                                       \
  int32_t tenure_provider_entry_v1_draft(const tenure_host* host, const tenure_provider** out, \
                                         tenure_status* status) {                              \
    (void)host, (void)status;                                                                  \
    *out = &tenure_provider_of_this_image;                                                     \
    return TENURE_OK;                                                                          \
  }                                                                                            \
  _Static_assert(1, "lets the macro be followed by a semicolon")

#endif /* TENURE_SDK_PROVIDER_H */
