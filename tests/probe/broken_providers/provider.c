/* SPDX-License-Identifier: Apache-2.0
 *
 * provider: the provider behind the probe's tests. Sound by itself; BROKEN_RULE names the one defect of
 * defect.h that a library has. The defects of the file itself are in file_defects.h and CMakeLists.txt.
 */
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "file_defects.h"
#include "state.h"

static pthread_mutex_t instances_mutex = PTHREAD_MUTEX_INITIALIZER;
static tenure_instance* instances; /* that are open */
static unsigned open_count;        /* since the image was mapped */
static unsigned close_count;

static void* wait_for_ever(void* unused) {
  for (;;) pause();
  return unused;
}

static void start_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_ever, NULL) == 0) pthread_detach(thread);
}

static int32_t availability(const tenure_host* host, tenure_availability* out, tenure_status* status) {
  (void)host, (void)status;
  const tenure_availability own = {.code = IS_BROKEN(LIFE_AVAILABILITY) ? 99 : TENURE_OK};
  const tenure_availability unavailable = {.code = TENURE_UNAVAILABLE, .reason = "there is no such device"};
  if (IS_BROKEN(UNAVAILABLE)) return tenure_write(out, &unavailable, sizeof unavailable);
  return tenure_write(out, &own, sizeof own);
}

static int32_t refuse_option(tenure_status* status) {
  if (IS_BROKEN(ABI_STATUS_FILLED)) return TENURE_INVALID_ARGUMENT;
  return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "this provider takes no options");
}

static int32_t open_instance(const tenure_host* host, const tenure_open_args* in, tenure_instance** out,
                             tenure_status* status) {
  if (in != NULL && in->count != 0 && !IS_BROKEN(ABI_OPTIONS_UNKNOWN)) return refuse_option(status);
  if (IS_BROKEN(LIFE_REOPEN) && close_count > 0) {
    return TENURE_FAIL(status, TENURE_FAILED_PRECONDITION, "the provider has been closed");
  }
  misconduct_in_open();
  tenure_instance* const instance = calloc(1, sizeof *instance);
  if (instance == NULL) return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, "the system has no memory");
  instance->host = host;
  instance->live.next = instance->live.previous = &instance->live;
  pthread_mutex_init(&instance->mutex, NULL);

  pthread_mutex_lock(&instances_mutex);
  ++open_count;
  snprintf(instance->host_name, sizeof instance->host_name, "broken:%u/host",
           IS_BROKEN(LIFE_FACTS_STABLE) ? open_count : 0);
  instance->next_instance = instances;
  instances = instance;
  pthread_mutex_unlock(&instances_mutex);

  if (IS_BROKEN(LIFE_OPEN_CLOSE)) open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (IS_BROKEN(LIFE_SCRATCH_RETURNED)) host->allocate(host->context, 64, 64);
  if (IS_BROKEN(LIFE_THREADS_JOINED)) start_thread();
  if (IS_BROKEN(LOAD_SILENT)) puts("broken: opened");
  *out = instance;
  return TENURE_OK;
}

static void close_instance(tenure_instance* instance) {
  pthread_mutex_lock(&instances_mutex);
  ++close_count;
  tenure_instance** place = &instances;
  while (*place != instance) place = &(*place)->next_instance;
  *place = instance->next_instance;
  for (tenure_instance* other = instances; other != NULL; other = other->next_instance) other->is_dead = 1;
  pthread_mutex_unlock(&instances_mutex);
  pthread_mutex_destroy(&instance->mutex);
  free(instance);
}

static int is_extension(const char* id, const char* wanted) {
  if (IS_BROKEN(ABI_EXT_UNKNOWN) && strncmp(id, "org.", 4) == 0) return 1;
  if (IS_BROKEN(ABI_EXT_TRAILING_GARBAGE)) return strncmp(id, wanted, strlen(wanted)) == 0;
  return strcmp(id, wanted) == 0;
}

static const void* instance_extension(tenure_instance* instance, const char* id) {
  (void)instance;
  if (is_extension(id, TENURE_EXT_POOL)) return &pool_api;
  if (is_extension(id, TENURE_EXT_ENGINE)) return &engine_api;
  return NULL;
}

static const tenure_instance_api instance_api = {
    .head = TENURE_HEAD(tenure_instance_api,
                        IS_BROKEN(ABI_HEADS) ? TENURE_KIND_PROVIDER : TENURE_KIND_INSTANCE_API),
    .device_count = device_count,
    .device_info = device_info,
    .domain_count = domain_count,
    .domain_info = domain_info,
    .domain_statistics = domain_statistics,
    .can_copy = can_copy,
    .storage_create = storage_create,
    .storage_release = storage_release,
    .storage_info = storage_info,
    .storage_map = storage_map,
    .storage_unmap = storage_unmap,
    .storage_import = storage_import,
    .copy = copy,
    .fill = fill,
    .trim = IS_BROKEN(ABI_REQUIRED_SLOTS) ? NULL : trim,
    .get_extension = instance_extension};

#define PROVIDER_TABLE                                                                                 \
  {                                                                                                    \
    .head = TENURE_HEAD(tenure_provider, TENURE_KIND_PROVIDER), .id = TENURE_TEXT(ID),                 \
    .name = TENURE_TEXT("Provider of the probe's tests"),                                              \
    .version = {TABLE_VERSION, sizeof(TABLE_VERSION) - 1},                                             \
    .vendor = {IS_BROKEN(ABI_STRINGS_UTF8) ? "Tenur\xE9" : "Tenure", 6}, .availability = availability, \
    .open = open_instance, .close = close_instance, .get_extension = tenure_no_provider_extension,     \
    .instance = &instance_api                                                                          \
  }

static const tenure_provider provider = PROVIDER_TABLE;
static const tenure_provider other_provider = PROVIDER_TABLE;

static int count_own_name(struct dl_phdr_info* module, size_t bytes, void* count) {
  (void)bytes;
  if (strstr(module->dlpi_name, "broken_load_copy_distinct") != NULL) ++*(int*)count;
  return 0;
}

/* What defects do when the entry is called, which is for the call_count-th time. */
static void misbehave_in_entry(unsigned call_count) {
  if (call_count != 1) return;
  if (IS_BROKEN(LOAD_NO_THREADS)) start_thread();
  if (IS_BROKEN(LOAD_NO_FDS)) open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (IS_BROKEN(LOAD_MANNERS)) signal(SIGUSR2, SIG_IGN);
}

static const tenure_provider* table_for(unsigned call_count) {
  if (IS_BROKEN(ABI_ENTRY_IDEMPOTENT) && call_count % 2 == 0) return &other_provider;
  if (!IS_BROKEN(ABI_TABLES_IN_IMAGE)) return &provider;
  static tenure_provider* copy;
  if (copy == NULL) copy = memcpy(malloc(sizeof provider), &provider, sizeof provider);
  return copy;
}

int32_t tenure_provider_entry_v1_draft(const tenure_host* host, const tenure_provider** out,
                                       tenure_status* status) {
  static unsigned call_count;
  ++call_count;
  misbehave_in_entry(call_count);
  if (IS_BROKEN(LOAD_ENTRY)) return TENURE_FAIL(status, TENURE_INTERNAL, "the provider is not in the mood");
  if (IS_BROKEN(LOAD_TWICE) && call_count > 1) {
    return TENURE_FAIL(status, TENURE_FAILED_PRECONDITION, "the provider has been loaded already");
  }
  if (IS_BROKEN(ABI_HOST_INFLATED) && host->head.bytes != sizeof *host) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "the host has another size");
  }
  int count = 0;
  if (IS_BROKEN(LOAD_COPY_DISTINCT)) dl_iterate_phdr(count_own_name, &count);
  if (count > 1) return TENURE_FAIL(status, TENURE_ALREADY_EXISTS, "another copy of the provider is loaded");
  *out = table_for(call_count);
  return TENURE_OK;
}

__attribute__((destructor)) static void at_end(void) {
  if (IS_BROKEN(LIFE_EXIT_WITHOUT_CLOSE) && instances != NULL) abort();
}
