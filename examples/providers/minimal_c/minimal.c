// SPDX-License-Identifier: Apache-2.0
// minimal: a complete provider in C. It lends host memory that the device sees without a transfer.
#include <stdatomic.h>
#include <stdlib.h>

#include "tenure/sdk/provider.h"

#define NO_DOMAIN "this provider has one domain and one device, both with index 0"

struct tenure_storage {
  void* address;
  uint64_t bytes, alignment_bytes, allocation_id;
};

struct tenure_instance {
  atomic_uint_fast64_t created, released, failed, live_bytes, last_allocation_id;
};

static uint64_t count_one(tenure_instance* self) { return self != NULL; }

static int32_t device_info(tenure_instance* self, uint64_t device, tenure_device_info* out,
                           tenure_status* status) {
  if (device >= count_one(self)) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, NO_DOMAIN);
  const tenure_device_info own = {.name = TENURE_TEXT("minimal:0"), .dlpack_type = 1};
  return tenure_write(out, &own, sizeof own);
}

static int32_t domain_info(tenure_instance* self, uint64_t domain, tenure_domain_info* out,
                           tenure_status* status) {
  if (domain >= count_one(self)) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, NO_DOMAIN);
  const tenure_domain_info own = {
      .name = TENURE_TEXT("minimal:0/shared"),
      .memory = TENURE_MEMORY_SHARED,
      .access = TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE | TENURE_ACCESS_COHERENT,
      .numa_node = -1,
      .dlpack_type = 1,
      .alignment_bytes_min = 64};
  return tenure_write(out, &own, sizeof own);
}

static int32_t domain_statistics(tenure_instance* self, uint64_t domain, tenure_domain_statistics* out,
                                 tenure_status* status) {
  if (domain >= count_one(self)) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, NO_DOMAIN);
  tenure_domain_statistics own = {.release_calls = self->released, .failed_calls = self->failed};
  own.create_calls = self->created;
  own.live_count = own.create_calls - own.release_calls;
  own.live_bytes = own.reserved_bytes = self->live_bytes;
  return tenure_write(out, &own, sizeof own);
}

static int32_t can_copy(tenure_instance* self, uint64_t source, uint64_t target) {
  return (source < count_one(self) || source == TENURE_DOMAIN_HOST) &&
         (target < count_one(self) || target == TENURE_DOMAIN_HOST);
}

static int32_t storage_info(tenure_instance* self, tenure_storage* storage, tenure_storage_info* out,
                            tenure_status* status) {
  (void)self, (void)status;
  const tenure_storage_info own = {.storage = storage,
                                   .address = storage->address,
                                   .bytes = storage->bytes,
                                   .alignment_bytes = storage->alignment_bytes,
                                   .allocation_id = storage->allocation_id};
  return tenure_write(out, &own, sizeof own);
}

static int32_t storage_create(tenure_instance* self, uint64_t domain, const tenure_storage_desc* in,
                              tenure_storage_info* out, tenure_status* status) {
  if (domain >= count_one(self)) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, NO_DOMAIN);
  tenure_storage_desc desc;
  tenure_read(&desc, sizeof desc, in);
  if ((desc.alignment_bytes & (desc.alignment_bytes - 1)) != 0) {
    ++self->failed;
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "alignment_bytes is not a power of two");
  }
  const uint64_t alignment = desc.alignment_bytes > 64 ? desc.alignment_bytes : 64;
  tenure_storage* const storage = malloc(sizeof *storage);
  // A storage of 0 bytes has an address too; and aligned_alloc takes multiples of the alignment only.
  const uint64_t bytes = (desc.bytes / alignment + 1) * alignment;
  void* const address = desc.bytes <= INT64_MAX / 2 ? aligned_alloc(alignment, bytes) : NULL;
  if (storage == NULL || address == NULL) {
    free(storage);
    free(address);
    ++self->failed;
    return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, "the system has no such memory");
  }
  if (desc.flags & TENURE_STORAGE_ZERO) memset(address, 0, desc.bytes);
  *storage = (tenure_storage){address, desc.bytes, alignment, ++self->last_allocation_id};
  ++self->created;
  self->live_bytes += desc.bytes;
  return storage_info(self, storage, out, status);
}

static void storage_release(tenure_instance* self, tenure_storage* storage, tenure_stream* stream) {
  (void)stream;
  ++self->released;
  self->live_bytes -= storage->bytes;
  free(storage->address);
  free(storage);
}

static int32_t storage_map(tenure_instance* self, tenure_storage* storage, uint32_t access,
                           tenure_mapping* out, tenure_status* status) {
  (void)self;
  if (access == 0 || access > (TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE)) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "access is host read, host write or both");
  }
  const tenure_mapping own = {.address = storage->address, .bytes = storage->bytes};
  return tenure_write(out, &own, sizeof own);
}

static int32_t copy(tenure_instance* self, const tenure_copy_desc* in, tenure_stream* stream,
                    tenure_status* status) {
  (void)self, (void)stream;
  tenure_copy_desc desc;
  tenure_read(&desc, sizeof desc, in);
  const tenure_storage host_source = {desc.source.address, UINT64_MAX, 0, 0};
  const tenure_storage host_target = {desc.target.address, UINT64_MAX, 0, 0};
  const tenure_storage* const source = desc.source.storage != NULL ? desc.source.storage : &host_source;
  const tenure_storage* const target = desc.target.storage != NULL ? desc.target.storage : &host_target;
  return tenure_copy_compact(&desc, source->address, source->bytes, target->address, target->bytes, status);
}

static int32_t fill(tenure_instance* self, const tenure_fill_desc* in, tenure_stream* stream,
                    tenure_status* status) {
  (void)self, (void)stream;
  tenure_fill_desc desc;
  tenure_read(&desc, sizeof desc, in);
  return tenure_fill_range(&desc, desc.storage->address, desc.storage->bytes, status);
}

static int32_t open_instance(const tenure_host* host, const tenure_open_args* in, tenure_instance** out,
                             tenure_status* status) {
  (void)host;
  const int32_t code = tenure_take_no_options(in, status);
  if (code != TENURE_OK) return code;
  tenure_instance* const self = calloc(1, sizeof *self);
  if (self == NULL) return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, "out of host memory");
  *out = self;
  return TENURE_OK;
}

static void close_instance(tenure_instance* self) { free(self); }

static const tenure_instance_api instance_api = {
    .head = TENURE_HEAD(tenure_instance_api, TENURE_KIND_INSTANCE_API),
    .device_count = count_one,
    .device_info = device_info,
    .domain_count = count_one,
    .domain_info = domain_info,
    .domain_statistics = domain_statistics,
    .can_copy = can_copy,
    .storage_create = storage_create,
    .storage_release = storage_release,
    .storage_info = storage_info,
    .storage_map = storage_map,
    .storage_unmap = tenure_unmap_nothing,
    .copy = copy,
    .fill = fill,
    .trim = tenure_trim_nothing,
    .get_extension = tenure_no_instance_extension};

TENURE_C_PROVIDER("org.tenure.example.minimal-c", "Minimal C example", "0.1.0", "Tenure",
                  TENURE_NOTE_FORK_SAFE, open_instance, close_instance, instance_api);
