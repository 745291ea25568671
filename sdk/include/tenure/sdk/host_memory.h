/* SPDX-License-Identifier: Apache-2.0
 *
 * host_memory: the functions that a provider in C11 needs beside its own, when it has one device and one
 * domain and the host sees the memory at its address.
 *
 * The author makes and frees memory. `tenure_instance` begins with a tenure_host_memory, which starts as
 * zeros, and `tenure_storage` with its tenure_storage_info. A provider that is otherwise fills its table with
 * what fits of this and of provider.h. All functions are ANY.
 */
#ifndef TENURE_SDK_HOST_MEMORY_H
#define TENURE_SDK_HOST_MEMORY_H

#include <stdatomic.h>

#include "tenure/sdk/provider.h"

/* What was done with the memory of one instance. */
typedef struct tenure_host_memory {
  atomic_uint_fast64_t created, released, refused;
  atomic_uint_fast64_t live_bytes, peak_bytes;
} tenure_host_memory;

static inline tenure_host_memory* tenure_host_memory_of(tenure_instance* instance) {
  return (tenure_host_memory*)instance;
}
static inline const tenure_storage_info* tenure_host_memory_info_of(const tenure_storage* storage) {
  return (const tenure_storage_info*)storage;
}

/* Counts a storage that is not made and returns RESOURCE_EXHAUSTED. `message` is not empty. */
static inline int32_t tenure_host_memory_refuse(tenure_instance* instance, const char* message,
                                                tenure_status* status) {
  ++tenure_host_memory_of(instance)->refused;
  return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, message);
}

/* The beginning of storage_create: reads what is asked for into `desc`, with at least the domain's
 * alignment, or refuses it. The bytes can then be rounded up to the alignment without an overflow. */
static inline int32_t tenure_host_memory_begin(tenure_instance* instance, uint64_t domain,
                                               const tenure_storage_desc* in, uint64_t alignment_bytes_min,
                                               tenure_storage_desc* desc, tenure_status* status) {
  if (domain != 0) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, "this provider has one domain");
  tenure_read(desc, sizeof *desc, in);
  if ((desc->alignment_bytes & (desc->alignment_bytes - 1)) != 0 ||
      (desc->flags & ~TENURE_STORAGE_ZERO) != 0) {
    ++tenure_host_memory_of(instance)->refused;
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT,
                       "expected an alignment that is a power of two, and no flag but TENURE_STORAGE_ZERO");
  }
  if (desc->alignment_bytes < alignment_bytes_min) desc->alignment_bytes = alignment_bytes_min;
  if (desc->bytes <= INT64_MAX / 2) return TENURE_OK;
  return tenure_host_memory_refuse(instance, "no machine has so much memory", status);
}

/* The end of storage_create: `storage` is made of the memory at `address`, zeroed where `desc` asks for it,
 * and described in `out`. */
static inline int32_t tenure_host_memory_made(tenure_instance* instance, tenure_storage* storage,
                                              void* address, const tenure_storage_desc* desc,
                                              tenure_storage_info* out) {
  tenure_host_memory* const memory = tenure_host_memory_of(instance);
  if ((desc->flags & TENURE_STORAGE_ZERO) != 0) memset(address, 0, desc->bytes);
  const tenure_storage_info info = {.storage = storage,
                                    .address = address,
                                    .bytes = desc->bytes,
                                    .alignment_bytes = desc->alignment_bytes,
                                    .allocation_id = ++memory->created};
  memcpy(storage, &info, sizeof info);
  const uint_fast64_t live_bytes = memory->live_bytes += desc->bytes;
  uint_fast64_t peak_bytes = memory->peak_bytes;
  while (peak_bytes < live_bytes &&
         !atomic_compare_exchange_weak(&memory->peak_bytes, &peak_bytes, live_bytes)) {
  }
  return tenure_write(out, &info, sizeof info);
}

/* Counts the release of a storage, whose memory is still there. */
static inline void tenure_host_memory_released(tenure_instance* instance, const tenure_storage* storage) {
  ++tenure_host_memory_of(instance)->released;
  tenure_host_memory_of(instance)->live_bytes -= tenure_host_memory_info_of(storage)->bytes;
}

/* ---- Slots of the instance table -------------------------------------------------------------- */

static inline uint64_t tenure_host_memory_count(tenure_instance* instance) {
  (void)instance;
  return 1;
}

static inline int32_t tenure_host_memory_statistics(tenure_instance* instance, uint64_t domain,
                                                    tenure_domain_statistics* out, tenure_status* status) {
  tenure_host_memory* const memory = tenure_host_memory_of(instance);
  /* Releases are read first, so that they are never more than the creations. */
  tenure_domain_statistics own = {.release_calls = memory->released, .failed_calls = memory->refused};
  own.create_calls = memory->created;
  own.live_count = own.create_calls - own.release_calls;
  own.live_bytes = own.reserved_bytes = memory->live_bytes;
  own.peak_bytes = memory->peak_bytes;
  return tenure_write_first(domain, out, &own, sizeof own, status);
}

static inline int32_t tenure_host_memory_can_copy(tenure_instance* instance, uint64_t source,
                                                  uint64_t target) {
  (void)instance;
  return (source == 0 || source == TENURE_DOMAIN_HOST) && (target == 0 || target == TENURE_DOMAIN_HOST);
}

static inline int32_t tenure_host_memory_info(tenure_instance* instance, tenure_storage* storage,
                                              tenure_storage_info* out, tenure_status* status) {
  (void)instance, (void)status;
  return tenure_write(out, tenure_host_memory_info_of(storage), sizeof(tenure_storage_info));
}

static inline int32_t tenure_host_memory_map(tenure_instance* instance, tenure_storage* storage,
                                             uint32_t access, tenure_mapping* out, tenure_status* status) {
  (void)instance;
  if (access == 0 || (access & ~(TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE)) != 0) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "access is host read, host write or both");
  }
  const tenure_storage_info* const info = tenure_host_memory_info_of(storage);
  const tenure_mapping own = {.address = info->address, .bytes = info->bytes};
  return tenure_write(out, &own, sizeof own);
}

/* Compact ends only. */
static inline int32_t tenure_host_memory_copy(tenure_instance* instance, const tenure_copy_desc* in,
                                              tenure_stream* stream, tenure_status* status) {
  (void)instance, (void)stream;
  tenure_copy_desc desc;
  tenure_read(&desc, sizeof desc, in);
  const tenure_storage_info host_source = {.address = desc.source.address, .bytes = UINT64_MAX};
  const tenure_storage_info host_target = {.address = desc.target.address, .bytes = UINT64_MAX};
  const tenure_storage_info* const source =
      desc.source.storage != NULL ? tenure_host_memory_info_of(desc.source.storage) : &host_source;
  const tenure_storage_info* const target =
      desc.target.storage != NULL ? tenure_host_memory_info_of(desc.target.storage) : &host_target;
  return tenure_copy_compact(&desc, source->address, source->bytes, target->address, target->bytes, status);
}

static inline int32_t tenure_host_memory_fill(tenure_instance* instance, const tenure_fill_desc* in,
                                              tenure_stream* stream, tenure_status* status) {
  (void)instance, (void)stream;
  tenure_fill_desc desc;
  tenure_read(&desc, sizeof desc, in);
  const tenure_storage_info* const info = tenure_host_memory_info_of(desc.storage);
  return tenure_fill_range(&desc, info->address, info->bytes, status);
}

/* All of the table but device_info, domain_info, storage_create and storage_release, for the beginning of its
 * initialiser. */
#define TENURE_HOST_MEMORY_SLOTS                                                                           \
  .head = TENURE_HEAD(tenure_instance_api, TENURE_KIND_INSTANCE_API),                                      \
  .device_count = tenure_host_memory_count, .domain_count = tenure_host_memory_count,                      \
  .domain_statistics = tenure_host_memory_statistics, .can_copy = tenure_host_memory_can_copy,             \
  .storage_info = tenure_host_memory_info, .storage_map = tenure_host_memory_map,                          \
  .storage_unmap = tenure_unmap_nothing, .copy = tenure_host_memory_copy, .fill = tenure_host_memory_fill, \
  .trim = tenure_trim_nothing, .get_extension = tenure_no_instance_extension

#endif /* TENURE_SDK_HOST_MEMORY_H */
