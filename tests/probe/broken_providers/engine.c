/* SPDX-License-Identifier: Apache-2.0
 *
 * engine: the executor of the provider behind the probe's tests. It copies and fills, in host memory.
 */
#include <stdlib.h>

#include "state.h"

struct tenure_engine {
  tenure_instance* instance;
};

static int32_t engine_create(tenure_instance* instance, const tenure_engine_options* in, tenure_engine** out,
                             tenure_status* status) {
  (void)in;
  tenure_engine* const engine = calloc(1, sizeof *engine);
  if (engine == NULL) return TENURE_FAIL(status, TENURE_RESOURCE_EXHAUSTED, "the system has no memory");
  engine->instance = instance;
  *out = engine;
  return TENURE_OK;
}

static void engine_release(tenure_engine* engine) { free(engine); }

static int32_t supports(tenure_engine* engine, uint32_t code, uint32_t function, const tenure_dtype* dtypes,
                        uint64_t dtype_count) {
  (void)engine, (void)function, (void)dtypes;
  if (IS_BROKEN(ENGINE_SUPPORTS_TRUTH) && code == TENURE_OP_CAST) return 1;
  return (code == TENURE_OP_COPY && dtype_count == 2) || (code == TENURE_OP_FILL && dtype_count == 1);
}

/* The index-th operand; the caller's may be longer than ours. */
static const tenure_operand* operand(const tenure_op* op, uint32_t index) {
  return (const tenure_operand*)((const char*)op->operands + index * op->operand_stride_bytes);
}

/* Calls for every index of the output; a fill has one operand, and then `value` is what it reads. */
static void execute_elements(const tenure_operand* from, const tenure_operand* to, const char* value) {
  const uint64_t bytes = to->dtype.bits / 8u;
  int64_t index[TENURE_RANK_MAX] = {0};
  for (uint32_t axis = 0; axis < to->rank; ++axis) {
    if (to->extents[axis] == 0) return;
  }
  for (;;) {
    int64_t source = 0;
    int64_t target = 0;
    for (uint32_t axis = 0; axis < to->rank; ++axis) {
      if (from != NULL) source += index[axis] * from->strides[axis];
      target += index[axis] * to->strides[axis];
    }
    memcpy((char*)to->address + target * (int64_t)bytes,
           from != NULL ? (const char*)from->address + source * (int64_t)bytes : value, bytes);
    uint32_t axis = 0;
    while (axis < to->rank && ++index[axis] == to->extents[axis]) index[axis++] = 0;
    if (axis == to->rank) return;
  }
}

static int32_t execute(tenure_engine* engine, const tenure_op* op, tenure_stream* stream,
                       tenure_status* status) {
  (void)engine, (void)stream;
  if (op->code == TENURE_OP_COPY) {
    const tenure_operand* const from = operand(op, 0);
    const tenure_operand* const to = operand(op, 1);
    tenure_operand spoiled = *from;
    int64_t strides[TENURE_RANK_MAX] = {0};
    if (IS_BROKEN(ENGINE_COPY)) spoiled.strides = strides;
    execute_elements(&spoiled, to, NULL);
    return TENURE_OK;
  }
  if (op->code == TENURE_OP_FILL) {
    tenure_scalar value = ((const tenure_fill_attributes*)op->attributes)->value;
    if (IS_BROKEN(ENGINE_FILL)) value.value[0] ^= 1;
    execute_elements(NULL, operand(op, 0), (const char*)value.value);
    return TENURE_OK;
  }
  if (IS_BROKEN(ENGINE_REFUSAL_WRITES_NOTHING) && op->operand_count > 0) {
    *(char*)operand(op, op->operand_count - 1)->address ^= 1;
  }
  return TENURE_FAIL(status, TENURE_UNIMPLEMENTED, "this engine copies and fills only");
}

const tenure_engine_api engine_api = {.head = TENURE_HEAD(tenure_engine_api, TENURE_KIND_ENGINE_API),
                                      .engine_create = engine_create,
                                      .engine_release = engine_release,
                                      .supports = supports,
                                      .execute = execute};
