/* SPDX-License-Identifier: Apache-2.0
 *
 * state: what the provider behind the probe's tests remembers. One mutex guards all of an instance.
 */
#ifndef TENURE_TESTS_PROBE_STATE_H
#define TENURE_TESTS_PROBE_STATE_H

#include <pthread.h>

#include "defect.h"
#include "tenure/provider_engine.h"
#include "tenure/provider_pool.h"
#include "tenure/sdk/provider.h"

/* Coherent host memory without identity; host memory that must be mapped; memory out of the host's reach.
 * No copy runs between the last two. */
enum {
  DOMAIN_HOST,
  DOMAIN_MANAGED,
  DOMAIN_DEVICE,
  DOMAIN_COUNT
};

#define ALIGNMENT_MIN 64u

struct tenure_storage {
  tenure_storage* next;
  tenure_storage* previous;
  tenure_pool* pool; /* that it goes back to when it is released, or null */
  tenure_pool* maker;
  char* base;    /* to free; null: imported */
  char* address; /* of the first byte */
  uint64_t domain;
  uint64_t bytes;
  uint64_t alignment_bytes;
  uint64_t allocation_id;
  uint32_t read_maps;
  pthread_t thread; /* that made it */
  void (*release)(void* context);
  void* context;
};

struct tenure_instance {
  const tenure_host* host;
  pthread_mutex_t mutex;
  tenure_storage live; /* head of the list of living storages */
  uint64_t live_count;
  uint64_t last_allocation_id;
  tenure_domain_statistics statistics[DOMAIN_COUNT];
  tenure_instance* next_instance;
  int is_dead;        /* BROKEN_LIFE_TWO_INSTANCES */
  int has_refused;    /* BROKEN_MEM_OOM_RECOVERS */
  char host_name[32]; /* of the first domain */
};

/* storage.c */
int32_t storage_create(tenure_instance*, uint64_t domain, const tenure_storage_desc*,
                       tenure_storage_info* out, tenure_status*);
void storage_release(tenure_instance*, tenure_storage*, tenure_stream*);
int32_t storage_info(tenure_instance*, tenure_storage*, tenure_storage_info* out, tenure_status*);
int32_t storage_map(tenure_instance*, tenure_storage*, uint32_t access, tenure_mapping* out, tenure_status*);
void storage_unmap(tenure_instance*, tenure_storage*, uint32_t access);
int32_t storage_import(tenure_instance*, uint64_t domain, const tenure_import_desc*, tenure_storage_info* out,
                       tenure_status*);
uint64_t trim(tenure_instance*, uint64_t domain, uint64_t retained_bytes);
/* Makes one without entering it in the list of the living; null when there is no memory. */
tenure_storage* make_storage(tenure_instance*, uint64_t domain, uint64_t bytes, uint64_t alignment_bytes);
void free_storage(tenure_storage*);
void write_info(const tenure_storage*, tenure_storage_info* out);

/* domain.c */
uint64_t device_count(tenure_instance*);
int32_t device_info(tenure_instance*, uint64_t device, tenure_device_info* out, tenure_status*);
uint64_t domain_count(tenure_instance*);
int32_t domain_info(tenure_instance*, uint64_t domain, tenure_domain_info* out, tenure_status*);
int32_t domain_statistics(tenure_instance*, uint64_t domain, tenure_domain_statistics* out, tenure_status*);
uint32_t access_of(uint64_t domain);

/* copy.c */
int32_t can_copy(tenure_instance*, uint64_t source_domain, uint64_t target_domain);
int32_t copy(tenure_instance*, const tenure_copy_desc*, tenure_stream*, tenure_status*);
int32_t fill(tenure_instance*, const tenure_fill_desc*, tenure_stream*, tenure_status*);

/* pool.c and engine.c */
extern const tenure_pool_api pool_api;
extern const tenure_engine_api engine_api;
/* Recycles or frees a storage that came from a pool; the instance's mutex is held. */
void pool_take_back(tenure_instance*, tenure_storage*);

/* misconduct.c: what no provider would do on purpose; nothing in a library without such a defect. */
void misconduct_in_open(void);
void misconduct_in_create(void);

#endif /* TENURE_TESTS_PROBE_STATE_H */
