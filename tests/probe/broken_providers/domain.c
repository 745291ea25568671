/* SPDX-License-Identifier: Apache-2.0
 *
 * domain: the devices and domains of the provider behind the probe's tests.
 */
#include "state.h"

static const uint32_t accesses[DOMAIN_COUNT] = {
    TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE | TENURE_ACCESS_COHERENT,
    TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE | TENURE_ACCESS_DEVICE, TENURE_ACCESS_DEVICE};
static const uint32_t memories[DOMAIN_COUNT] = {TENURE_MEMORY_PAGEABLE, TENURE_MEMORY_MANAGED,
                                                TENURE_MEMORY_DEVICE};
static const char* const names[DOMAIN_COUNT] = {"", "broken:0/managed", "broken:0/device"};

uint32_t access_of(uint64_t domain) { return accesses[domain]; }

uint64_t device_count(tenure_instance* instance) {
  (void)instance;
  return 1;
}

int32_t device_info(tenure_instance* instance, uint64_t device, tenure_device_info* out,
                    tenure_status* status) {
  (void)instance;
  if (device != 0) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, "there is one device, with index 0");
  const tenure_device_info own = {.name = TENURE_TEXT("broken:0"), .dlpack_type = 1};
  return tenure_write(out, &own, sizeof own);
}

uint64_t domain_count(tenure_instance* instance) {
  (void)instance;
  return DOMAIN_COUNT;
}

int32_t domain_info(tenure_instance* instance, uint64_t domain, tenure_domain_info* out,
                    tenure_status* status) {
  if (domain >= DOMAIN_COUNT) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, "there are three domains");
  const char* const name = domain == DOMAIN_HOST ? instance->host_name : names[domain];
  const tenure_domain_info own = {.head = out->head,
                                  .name = {name, strlen(name)},
                                  .memory = memories[domain],
                                  .access = accesses[domain],
                                  .numa_node = -1,
                                  .dlpack_type = 1,
                                  .alignment_bytes_min = IS_BROKEN(MEM_DOMAIN_FACTS) ? 24 : ALIGNMENT_MIN,
                                  .granularity_bytes = ALIGNMENT_MIN};
  if (IS_BROKEN(ABI_STATUS_UNTOUCHED) && status != NULL) status->line = 1;
  if (IS_BROKEN(ABI_OUT_SHORT)) {
    memcpy(out, &own, sizeof own);
    return TENURE_OK;
  }
  const int32_t code = tenure_write(out, &own, sizeof own);
  if (IS_BROKEN(ABI_OUT_CANARY)) out->head.ext = out;
  return code;
}

int32_t domain_statistics(tenure_instance* instance, uint64_t domain, tenure_domain_statistics* out,
                          tenure_status* status) {
  if (domain >= DOMAIN_COUNT) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, "there are three domains");
  pthread_mutex_lock(&instance->mutex);
  const tenure_domain_statistics own = instance->statistics[domain];
  pthread_mutex_unlock(&instance->mutex);
  return tenure_write(out, &own, sizeof own);
}
