/* SPDX-License-Identifier: Apache-2.0
 *
 * storage: the memory of the provider behind the probe's tests.
 */
#include <stdlib.h>

#include "state.h"

/* Enough for a block of 63 bits to fail before its size overflows. */
#define STORAGE_BYTES_MAX (UINT64_C(1) << 48)
/* What broken:0 lends to two storages at once must be long enough for both. */
#define CAPACITY_BYTES_MIN (IS_BROKEN(CONC_STORAGES) ? 4096u : 1u)

tenure_storage* make_storage(tenure_instance* instance, uint64_t domain, uint64_t bytes,
                             uint64_t alignment_bytes) {
  if (bytes > STORAGE_BYTES_MAX || alignment_bytes > STORAGE_BYTES_MAX) return NULL;
  if (alignment_bytes < ALIGNMENT_MIN) alignment_bytes = ALIGNMENT_MIN;
  const uint64_t capacity = bytes < CAPACITY_BYTES_MIN ? CAPACITY_BYTES_MIN : bytes;
  const uint64_t shift = IS_BROKEN(MEM_ALIGN_SWEEP) && alignment_bytes > ALIGNMENT_MIN ? ALIGNMENT_MIN : 0;
  tenure_storage* const storage = calloc(1, sizeof *storage);
  char* const base = aligned_alloc(
      alignment_bytes, (capacity + shift + alignment_bytes - 1) / alignment_bytes * alignment_bytes);
  if (storage == NULL || base == NULL) {
    free(storage);
    free(base);
    return NULL;
  }
  storage->base = base;
  storage->address = base + shift;
  storage->domain = domain;
  storage->bytes = bytes;
  storage->alignment_bytes = alignment_bytes;
  storage->thread = pthread_self();
  if (domain != DOMAIN_HOST) {
    storage->allocation_id = IS_BROKEN(MEM_IDS_NEVER_REUSED) ? 7 : ++instance->last_allocation_id;
  }
  return storage;
}

void free_storage(tenure_storage* storage) {
  free(storage->base);
  free(storage);
}

void write_info(const tenure_storage* storage, tenure_storage_info* out) {
  const int is_coherent = (access_of(storage->domain) & TENURE_ACCESS_COHERENT) != 0;
  const tenure_storage_info own = {
      .storage = (tenure_storage*)(uintptr_t)storage,
      .address = is_coherent ? storage->address : NULL,
      .bytes = IS_BROKEN(MEM_ONE_BYTE) && storage->maker == NULL && storage->bytes == 1 ? 0 : storage->bytes,
      .alignment_bytes = storage->alignment_bytes,
      .allocation_id = storage->allocation_id};
  tenure_write(out, &own, sizeof own);
}

static void enter_living(tenure_instance* instance, tenure_storage* storage) {
  tenure_storage* const first = instance->live.next;
  if (IS_BROKEN(MEM_NO_OVERLAP) && instance->live_count > 20) storage->address = first->address;
  if (IS_BROKEN(CONC_STORAGES) && instance->live_count > 0 &&
      !pthread_equal(first->thread, storage->thread)) {
    storage->address = first->address;
  }
  storage->next = first;
  storage->previous = &instance->live;
  first->previous = storage;
  instance->live.next = storage;
  ++instance->live_count;

  tenure_domain_statistics* const statistics = &instance->statistics[storage->domain];
  ++statistics->create_calls;
  ++statistics->live_count;
  statistics->live_bytes += storage->bytes;
  statistics->reserved_bytes += storage->bytes;
  if (statistics->peak_bytes < statistics->live_bytes) statistics->peak_bytes = statistics->live_bytes;
}

static void leave_living(tenure_instance* instance, tenure_storage* storage) {
  storage->next->previous = storage->previous;
  storage->previous->next = storage->next;
  --instance->live_count;

  tenure_domain_statistics* const statistics = &instance->statistics[storage->domain];
  ++statistics->release_calls;
  if (IS_BROKEN(MEM_STATS_CONSERVE)) return;
  --statistics->live_count;
  statistics->live_bytes -= storage->bytes;
  statistics->reserved_bytes -= storage->bytes;
}

static int32_t refuse_size(tenure_instance* instance, uint64_t domain, tenure_storage_info* out,
                           tenure_status* status) {
  pthread_mutex_lock(&instance->mutex);
  ++instance->statistics[domain].failed_calls;
  pthread_mutex_unlock(&instance->mutex);
  instance->has_refused = 1;
  if (IS_BROKEN(ABI_OUTPUTS_NULL_ON_FAIL)) out->bytes = 0;
  if (IS_BROKEN(ABI_STATUS_NULL_OK)) status->code = TENURE_RESOURCE_EXHAUSTED;
  if (IS_BROKEN(MEM_TOO_LARGE)) return TENURE_FAIL(status, TENURE_INTERNAL, "the allocator gave nothing");
  return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, "the system has no such memory");
}

int32_t storage_create(tenure_instance* instance, uint64_t domain, const tenure_storage_desc* in,
                       tenure_storage_info* out, tenure_status* status) {
  misconduct_in_create();
  tenure_storage_desc desc;
  tenure_read(&desc, sizeof desc, in);
  if (domain >= DOMAIN_COUNT) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, "there are three domains");
  if (IS_BROKEN(ABI_IN_INFLATED) && in->head.bytes != sizeof desc) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "the descriptor has another size");
  }
  if (IS_BROKEN(MEM_ZERO_BYTES) && desc.bytes == 0) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "a storage has at least one byte");
  }
  if (IS_BROKEN(LIFE_TWO_INSTANCES) && instance->is_dead) {
    return TENURE_FAIL(status, TENURE_FAILED_PRECONDITION, "the provider has been closed");
  }
  if (IS_BROKEN(MEM_OOM_RECOVERS) && instance->has_refused) return refuse_size(instance, domain, out, status);

  pthread_mutex_lock(&instance->mutex);
  tenure_storage* const storage = make_storage(instance, domain, desc.bytes, desc.alignment_bytes);
  if (storage != NULL) enter_living(instance, storage);
  pthread_mutex_unlock(&instance->mutex);
  if (storage == NULL) return refuse_size(instance, domain, out, status);

  if ((desc.flags & TENURE_STORAGE_ZERO) != 0) {
    memset(storage->address, IS_BROKEN(MEM_ZERO_FLAG) ? 0xCD : 0, desc.bytes);
  }
  write_info(storage, out);
  return TENURE_OK;
}

void storage_release(tenure_instance* instance, tenure_storage* storage, tenure_stream* stream) {
  (void)stream;
  const int is_imported = storage->release != NULL;
  if (IS_BROKEN(LIFE_RELEASE_OTHER_THREAD) && !is_imported &&
      !pthread_equal(storage->thread, pthread_self())) {
    abort();
  }
  if (is_imported) {
    storage->release(storage->context);
    if (IS_BROKEN(MEM_IMPORT_ONCE)) storage->release(storage->context);
  }
  pthread_mutex_lock(&instance->mutex);
  if (storage->maker != NULL) {
    pool_take_back(instance, storage);
  } else {
    leave_living(instance, storage);
    free_storage(storage);
  }
  pthread_mutex_unlock(&instance->mutex);
}

int32_t storage_info(tenure_instance* instance, tenure_storage* storage, tenure_storage_info* out,
                     tenure_status* status) {
  (void)instance, (void)status;
  write_info(storage, out);
  if (IS_BROKEN(MEM_STORAGE_INFO) && out->head.bytes == sizeof *out) out->alignment_bytes = 1;
  return TENURE_OK;
}

int32_t storage_map(tenure_instance* instance, tenure_storage* storage, uint32_t access, tenure_mapping* out,
                    tenure_status* status) {
  static char other_bytes[4096];
  if ((access & ~access_of(storage->domain)) != 0 && !IS_BROKEN(MEM_KIND_TRUTH)) {
    return TENURE_FAIL(status, TENURE_FAILED_PRECONDITION,
                       "this is device memory; copy it to a host domain first");
  }
  pthread_mutex_lock(&instance->mutex);
  const int is_second_reader = storage->read_maps > 0;
  if ((access & TENURE_ACCESS_HOST_READ) != 0) ++storage->read_maps;
  pthread_mutex_unlock(&instance->mutex);
  if (IS_BROKEN(MEM_MAP_NESTS) && is_second_reader) {
    return TENURE_FAIL(status, TENURE_FAILED_PRECONDITION, "the storage is mapped already");
  }
  const int is_stranger = IS_BROKEN(CONC_MAPS) && !pthread_equal(storage->thread, pthread_self());
  const tenure_mapping own = {.address = is_stranger ? other_bytes : storage->address,
                              .bytes = IS_BROKEN(MEM_MAP_COVERS) ? storage->bytes - 1 : storage->bytes};
  return tenure_write(out, &own, sizeof own);
}

void storage_unmap(tenure_instance* instance, tenure_storage* storage, uint32_t access) {
  pthread_mutex_lock(&instance->mutex);
  if ((access & TENURE_ACCESS_HOST_READ) != 0) --storage->read_maps;
  pthread_mutex_unlock(&instance->mutex);
  if (IS_BROKEN(MEM_PATTERN) && (access & TENURE_ACCESS_HOST_WRITE) != 0 && storage->bytes > 4096) {
    storage->address[storage->bytes - 1] ^= 1;
  }
}

int32_t storage_import(tenure_instance* instance, uint64_t domain, const tenure_import_desc* in,
                       tenure_storage_info* out, tenure_status* status) {
  tenure_import_desc desc;
  tenure_read(&desc, sizeof desc, in);
  if (domain != DOMAIN_HOST) {
    return TENURE_FAIL(status, TENURE_UNIMPLEMENTED, "only the host domain imports memory");
  }
  tenure_storage* const storage = calloc(1, sizeof *storage);
  if (storage == NULL) return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, "the system has no memory");
  storage->address = desc.address;
  storage->domain = domain;
  storage->bytes = desc.bytes;
  storage->alignment_bytes = 1;
  storage->thread = pthread_self();
  storage->release = desc.release;
  storage->context = desc.context;
  if (IS_BROKEN(MEM_IMPORT_IN_PLACE)) {
    storage->base =
        aligned_alloc(ALIGNMENT_MIN, (desc.bytes + ALIGNMENT_MIN - 1) / ALIGNMENT_MIN * ALIGNMENT_MIN);
    storage->address = storage->base;
    memcpy(storage->address, desc.address, desc.bytes);
  }
  pthread_mutex_lock(&instance->mutex);
  enter_living(instance, storage);
  pthread_mutex_unlock(&instance->mutex);
  write_info(storage, out);
  return TENURE_OK;
}

uint64_t trim(tenure_instance* instance, uint64_t domain, uint64_t retained_bytes) {
  (void)domain, (void)retained_bytes;
  if (IS_BROKEN(MEM_TRIM_KEEPS_LIVE)) {
    pthread_mutex_lock(&instance->mutex);
    for (tenure_storage* storage = instance->live.next; storage != &instance->live; storage = storage->next) {
      memset(storage->address, 0, storage->bytes);
    }
    pthread_mutex_unlock(&instance->mutex);
  }
  return 0;
}
