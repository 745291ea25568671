// SPDX-License-Identifier: Apache-2.0
// minimal: a complete provider in C. It lends host memory that the device sees without a transfer.
#include <stdlib.h>

#include "tenure/sdk/host_memory.h"

struct tenure_instance {
  tenure_host_memory memory;
};

struct tenure_storage {
  tenure_storage_info info;
};

static int32_t device_info(tenure_instance* self, uint64_t device, tenure_device_info* out,
                           tenure_status* status) {
  (void)self;
  const tenure_device_info own = {.name = TENURE_TEXT("minimal:0"), .dlpack_type = 1};
  return tenure_write_first(device, out, &own, sizeof own, status);
}

static int32_t domain_info(tenure_instance* self, uint64_t domain, tenure_domain_info* out,
                           tenure_status* status) {
  (void)self;
  const tenure_domain_info own = {
      .name = TENURE_TEXT("minimal:0/shared"),
      .memory = TENURE_MEMORY_SHARED,
      .access = TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE | TENURE_ACCESS_COHERENT,
      .numa_node = -1,
      .dlpack_type = 1,
      .alignment_bytes_min = 64};
  return tenure_write_first(domain, out, &own, sizeof own, status);
}

static int32_t storage_create(tenure_instance* self, uint64_t domain, const tenure_storage_desc* in,
                              tenure_storage_info* out, tenure_status* status) {
  tenure_storage_desc desc;
  const int32_t code = tenure_host_memory_begin(self, domain, in, 64, &desc, status);
  if (code != TENURE_OK) return code;
  tenure_storage* const storage = malloc(sizeof *storage);
  // A storage of 0 bytes has an address too; and aligned_alloc takes multiples of the alignment only.
  const uint64_t bytes = (desc.bytes / desc.alignment_bytes + 1) * desc.alignment_bytes;
  void* const address = aligned_alloc(desc.alignment_bytes, bytes);
  if (storage == NULL || address == NULL) {
    free(storage);
    free(address);
    return tenure_host_memory_refuse(self, "the system has no such memory", status);
  }
  return tenure_host_memory_made(self, storage, address, &desc, out);
}

static void storage_release(tenure_instance* self, tenure_storage* storage, tenure_stream* stream) {
  (void)stream;
  tenure_host_memory_released(self, storage);
  free(storage->info.address);
  free(storage);
}

static int32_t open_instance(const tenure_host* host, const tenure_open_args* args, tenure_instance** out,
                             tenure_status* status) {
  (void)host;
  const int32_t code = tenure_take_no_options(args, status);
  if (code != TENURE_OK) return code;
  tenure_instance* const self = calloc(1, sizeof *self);
  if (self == NULL) return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, "out of host memory");
  *out = self;
  return TENURE_OK;
}

static void close_instance(tenure_instance* self) { free(self); }

static const tenure_instance_api instance_api = {TENURE_HOST_MEMORY_SLOTS, .device_info = device_info,
                                                 .domain_info = domain_info, .storage_create = storage_create,
                                                 .storage_release = storage_release};

TENURE_C_PROVIDER("org.tenure.example.minimal-c", "Minimal C example", "0.1.0", "Tenure",
                  TENURE_NOTE_FORK_SAFE, open_instance, close_instance, instance_api);
