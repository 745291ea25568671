/* SPDX-License-Identifier: Apache-2.0
 *
 * pool: recycled storage of the provider behind the probe's tests, one list for each pool.
 */
#include <stdlib.h>

#include "state.h"

struct tenure_pool {
  tenure_instance* instance;
  uint64_t domain;
  uint64_t retained_bytes_max;
  uint32_t mode;
  int is_released;
  pthread_t thread;         /* that made it */
  uint64_t reference_count; /* of the handle and of the blocks that are out */
  tenure_storage* idle;     /* linked by next */
  tenure_pool_statistics statistics;
};

static void drop_reference(tenure_pool* pool) {
  if (--pool->reference_count == 0) free(pool);
}

static void free_idle(tenure_pool* pool, uint64_t retained_bytes) {
  tenure_pool_statistics* const statistics = &pool->statistics;
  while (statistics->capacity_bytes > retained_bytes) {
    tenure_storage* const storage = pool->idle;
    pool->idle = storage->next;
    --statistics->buffers;
    statistics->capacity_bytes -= storage->bytes;
    statistics->reserved_bytes -= storage->bytes;
    ++statistics->evictions;
    free_storage(storage);
  }
}

static void retain(tenure_pool* pool, tenure_storage* storage) {
  if (IS_BROKEN(POOL_THREAD_EXIT) && !pthread_equal(pool->thread, pthread_self())) {
    ++pool->statistics.buffers;
    pool->statistics.reserved_bytes -= storage->bytes;
    free_storage(storage);
    return;
  }
  storage->next = pool->idle;
  pool->idle = storage;
  ++pool->statistics.buffers;
  pool->statistics.capacity_bytes += storage->bytes;
  if (!IS_BROKEN(POOL_CAP_KEPT)) {
    free_idle(pool, pool->mode == TENURE_POOL_BYPASS ? 0 : pool->retained_bytes_max);
  }
}

static int32_t pool_create(tenure_instance* instance, uint64_t domain, const tenure_pool_options* in,
                           tenure_pool** out, tenure_status* status) {
  tenure_pool_options options = {.retained_bytes_max = UINT64_MAX};
  if (in != NULL) tenure_read(&options, sizeof options, in);
  if (domain >= DOMAIN_COUNT) return TENURE_FAIL(status, TENURE_OUT_OF_RANGE, "there are three domains");
  tenure_pool* const pool = calloc(1, sizeof *pool);
  if (pool == NULL) return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, "the system has no memory");
  pool->instance = instance;
  pool->domain = domain;
  pool->retained_bytes_max = options.retained_bytes_max;
  pool->mode = options.mode_is_set ? options.mode : TENURE_POOL_COUNT;
  pool->thread = pthread_self();
  pool->reference_count = 1;
  *out = pool;
  return TENURE_OK;
}

static void pool_release(tenure_pool* pool) {
  tenure_instance* const instance = pool->instance;
  pthread_mutex_lock(&instance->mutex);
  free_idle(pool, 0);
  pool->is_released = 1;
  if (IS_BROKEN(POOL_RELEASE_WITH_BLOCKS_OUT) && pool->reference_count > 1) abort();
  drop_reference(pool);
  pthread_mutex_unlock(&instance->mutex);
}

static tenure_storage* take_idle(tenure_pool* pool, uint64_t bytes, uint64_t alignment_bytes) {
  for (tenure_storage** place = &pool->idle; *place != NULL; place = &(*place)->next) {
    tenure_storage* const storage = *place;
    if (storage->bytes < bytes || storage->alignment_bytes < alignment_bytes) continue;
    *place = storage->next;
    --pool->statistics.buffers;
    pool->statistics.capacity_bytes -= storage->bytes;
    return storage;
  }
  return NULL;
}

static tenure_storage* acquire_locked(tenure_pool* pool, uint64_t bytes, uint64_t alignment_bytes) {
  tenure_pool_statistics* const statistics = &pool->statistics;
  tenure_storage* storage = IS_BROKEN(POOL_RECYCLES) ? NULL : take_idle(pool, bytes, alignment_bytes);
  if (storage != NULL) {
    ++statistics->hits;
  } else {
    storage = make_storage(pool->instance, pool->domain, bytes == 0 ? 1 : bytes, alignment_bytes);
    if (storage == NULL) return NULL;
    ++statistics->misses;
    statistics->reserved_bytes += storage->bytes;
  }
  storage->pool = storage->maker = pool;
  storage->thread = pthread_self();
  ++pool->reference_count;
  ++statistics->live_count;
  statistics->live_bytes += storage->bytes;
  if (statistics->peak_bytes < statistics->reserved_bytes)
    statistics->peak_bytes = statistics->reserved_bytes;
  return storage;
}

static int32_t acquire(tenure_pool* pool, uint64_t bytes, uint64_t alignment_bytes, tenure_storage_info* out,
                       tenure_status* status) {
  pthread_mutex_lock(&pool->instance->mutex);
  tenure_storage* const storage =
      acquire_locked(pool, IS_BROKEN(POOL_ACQUIRE) && bytes > 256 ? 256 : bytes, alignment_bytes);
  pthread_mutex_unlock(&pool->instance->mutex);
  if (storage == NULL) return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, "the system has no such memory");
  write_info(storage, out);
  return TENURE_OK;
}

/* Takes a block off the books of the pool that it is attached to. */
static void leave_pool(tenure_storage* storage) {
  tenure_pool_statistics* const statistics = &storage->pool->statistics;
  --statistics->live_count;
  statistics->live_bytes -= storage->bytes;
  storage->pool = NULL;
}

void pool_take_back(tenure_instance* instance, tenure_storage* storage) {
  (void)instance;
  tenure_pool* const maker = storage->maker;
  const int is_attached = storage->pool != NULL;
  if (is_attached) leave_pool(storage);
  if (is_attached && IS_BROKEN(POOL_STATS_CONSERVE)) ++maker->statistics.live_count;
  if ((is_attached || IS_BROKEN(POOL_DETACH)) && !maker->is_released) {
    retain(maker, storage);
  } else {
    if (is_attached) maker->statistics.reserved_bytes -= storage->bytes;
    free_storage(storage);
  }
  drop_reference(maker);
}

static void detach(tenure_instance* instance, tenure_storage* storage) {
  pthread_mutex_lock(&instance->mutex);
  if (storage->pool != NULL) {
    tenure_pool_statistics* const statistics = &storage->pool->statistics;
    leave_pool(storage);
    statistics->reserved_bytes -= storage->bytes;
    ++statistics->detached;
  }
  pthread_mutex_unlock(&instance->mutex);
}

static int32_t give_back(tenure_pool* pool, tenure_storage* storage, tenure_status* status) {
  tenure_instance* const instance = pool->instance;
  pthread_mutex_lock(&instance->mutex);
  const int is_own = storage->maker == pool && storage->pool == NULL;
  if (is_own) {
    --pool->statistics.detached;
    pool->statistics.reserved_bytes += storage->bytes;
    retain(pool, storage);
    drop_reference(pool);
  }
  pthread_mutex_unlock(&instance->mutex);
  if (is_own || IS_BROKEN(POOL_GIVE_BACK)) return TENURE_OK;
  return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "the block is not a detached one of this pool");
}

static int32_t statistics(tenure_pool* pool, tenure_pool_statistics* out, tenure_status* status) {
  (void)status;
  pthread_mutex_lock(&pool->instance->mutex);
  const tenure_pool_statistics own = pool->statistics;
  pthread_mutex_unlock(&pool->instance->mutex);
  return tenure_write(out, &own, sizeof own);
}

static uint64_t pool_trim(tenure_pool* pool, uint64_t retained_bytes) {
  if (IS_BROKEN(POOL_TRIM)) return 0;
  pthread_mutex_lock(&pool->instance->mutex);
  const uint64_t before = pool->statistics.capacity_bytes;
  free_idle(pool, retained_bytes);
  const uint64_t given_back = before - pool->statistics.capacity_bytes;
  pthread_mutex_unlock(&pool->instance->mutex);
  return given_back;
}

static void thread_exit(tenure_instance* instance, uint32_t thread_index) {
  (void)instance, (void)thread_index;
}

const tenure_pool_api pool_api = {
    .head = TENURE_HEAD(tenure_pool_api, IS_BROKEN(ABI_EXT_TABLES) ? TENURE_KIND_HOST : TENURE_KIND_POOL_API),
    .pool_create = pool_create,
    .pool_release = pool_release,
    .acquire = acquire,
    .detach = detach,
    .give_back = give_back,
    .statistics = statistics,
    .trim = pool_trim,
    .thread_exit = thread_exit};
