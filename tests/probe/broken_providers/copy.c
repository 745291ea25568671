/* SPDX-License-Identifier: Apache-2.0
 *
 * copy: how the provider behind the probe's tests moves and fills bytes.
 */
#include <stdlib.h>

#include "state.h"

static int is_listed(uint64_t source_domain, uint64_t target_domain) {
  return !(source_domain == DOMAIN_MANAGED && target_domain == DOMAIN_DEVICE) &&
         !(source_domain == DOMAIN_DEVICE && target_domain == DOMAIN_MANAGED);
}

int32_t can_copy(tenure_instance* instance, uint64_t source_domain, uint64_t target_domain) {
  (void)instance;
  if (IS_BROKEN(COPY_MATRIX_TRUTH) && source_domain == DOMAIN_HOST && target_domain == DOMAIN_MANAGED)
    return 0;
  return is_listed(source_domain, target_domain);
}

/* An end of a copy as host memory, with the strides that apply. */
struct end {
  char* first;
  int64_t strides[TENURE_RANK_MAX];
};

static struct end end_of(const tenure_copy_desc* desc, const tenure_place* place) {
  struct end end;
  end.first =
      (place->storage != NULL ? place->storage->address : (char*)place->address) + place->offset_bytes;
  int64_t compact_stride = 1;
  for (uint32_t axis = 0; axis < desc->rank; ++axis) {
    end.strides[axis] = place->strides != NULL ? place->strides[axis] : compact_stride;
    if (IS_BROKEN(COPY_STRIDED) && end.strides[axis] < 0) end.strides[axis] = -end.strides[axis];
    compact_stride *= desc->extents[axis];
  }
  return end;
}

/* The bytes from the lowest to the highest that an end reaches. */
static void reach(const tenure_copy_desc* desc, const struct end* end, const char** low, const char** high) {
  *low = end->first;
  *high = end->first + desc->element_bytes;
  for (uint32_t axis = 0; axis < desc->rank; ++axis) {
    const int64_t span = (desc->extents[axis] - 1) * end->strides[axis] * (int64_t)desc->element_bytes;
    if (span < 0) *low += span;
    if (span > 0) *high += span;
  }
}

static void copy_elements(const tenure_copy_desc* desc, const struct end* source, const struct end* target) {
  int64_t index[TENURE_RANK_MAX] = {0};
  for (;;) {
    int64_t source_element = 0;
    int64_t target_element = 0;
    for (uint32_t axis = 0; axis < desc->rank; ++axis) {
      source_element += index[axis] * source->strides[axis];
      target_element += index[axis] * target->strides[axis];
    }
    memmove(target->first + target_element * (int64_t)desc->element_bytes,
            source->first + source_element * (int64_t)desc->element_bytes, desc->element_bytes);
    uint32_t axis = 0;
    while (axis < desc->rank && ++index[axis] == desc->extents[axis]) index[axis++] = 0;
    if (axis == desc->rank) return;
  }
}

/* What defects do beside or instead of the copy. Returns whether the copy is done with. */
static int is_spoiled(const tenure_copy_desc* desc, const struct end* source, const struct end* target) {
  const uint64_t bytes = tenure_box_bytes(desc);
  if (IS_BROKEN(COPY_PAIRS) && desc->rank == 2 && desc->element_bytes == 8) {
    memcpy(target->first, source->first, bytes - 1);
    return 1;
  }
  if (IS_BROKEN(COPY_WRITES_ONLY_TARGET) && desc->target.offset_bytes == ALIGNMENT_MIN && desc->rank == 1) {
    memcpy(target->first, source->first, (bytes + 15) / 16 * 16);
    return 1;
  }
  return IS_BROKEN(COPY_RANK_ZERO) && desc->rank == 0;
}

int32_t copy(tenure_instance* instance, const tenure_copy_desc* in, tenure_stream* stream,
             tenure_status* status) {
  (void)instance, (void)stream;
  tenure_copy_desc desc;
  tenure_read(&desc, sizeof desc, in);
  const tenure_storage* const from = desc.source.storage;
  const tenure_storage* const to = desc.target.storage;
  if (!is_listed(from != NULL ? from->domain : TENURE_DOMAIN_HOST,
                 to != NULL ? to->domain : TENURE_DOMAIN_HOST)) {
    return TENURE_FAIL(status, TENURE_UNIMPLEMENTED, "copy by way of the host");
  }
  if (tenure_box_bytes(&desc) == 0) {
    if (!IS_BROKEN(COPY_ZERO)) return TENURE_OK;
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "there is nothing to copy");
  }
  if (IS_BROKEN(COPY_UNALIGNED) && desc.target.offset_bytes % desc.element_bytes != 0) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "the target is not aligned");
  }
  if (IS_BROKEN(COPY_ADJACENT) && from != NULL && from == to && desc.source.offset_bytes == 100) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "source and target are one storage");
  }
  const struct end source = end_of(&desc, &desc.source);
  const struct end target = end_of(&desc, &desc.target);
  const char *source_low, *source_high, *target_low, *target_high;
  reach(&desc, &source, &source_low, &source_high);
  reach(&desc, &target, &target_low, &target_high);
  if (source_low < target_high && target_low < source_high && !IS_BROKEN(COPY_OVERLAP_REFUSED)) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "source and target overlap");
  }
  if (!is_spoiled(&desc, &source, &target)) copy_elements(&desc, &source, &target);
  return TENURE_OK;
}

int32_t fill(tenure_instance* instance, const tenure_fill_desc* in, tenure_stream* stream,
             tenure_status* status) {
  (void)instance, (void)stream;
  tenure_fill_desc desc;
  tenure_read(&desc, sizeof desc, in);
  if (IS_BROKEN(FILL_ZERO_BYTES) && desc.bytes == 0) {
    return TENURE_FAIL(status, TENURE_INVALID_ARGUMENT, "there is nothing to fill");
  }
  if (IS_BROKEN(FILL_PATTERNS) && desc.pattern_bytes == 16) desc.pattern_bytes = 8;
  if (IS_BROKEN(FILL_WRITES_ONLY_RANGE) && desc.offset_bytes > 0 && desc.bytes > 0) {
    desc.bytes += desc.pattern_bytes;
  }
  return tenure_fill_range(&desc, desc.storage->address, desc.storage->bytes, status);
}
