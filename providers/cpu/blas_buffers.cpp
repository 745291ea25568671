// SPDX-License-Identifier: Apache-2.0
// The serial library gives out its packing buffers from a table without a lock, so that two threads can get
// the same one and both be wrong. The linker sends its calls for a buffer here, where they take turns.
#include <mutex>

namespace {
constinit std::mutex table;
}

extern "C" {

void* __real_blas_memory_alloc(int position);
void __real_blas_memory_free(void* buffer);

void* __wrap_blas_memory_alloc(int position) {
  const std::scoped_lock lock(table);
  return __real_blas_memory_alloc(position);
}

void __wrap_blas_memory_free(void* buffer) {
  const std::scoped_lock lock(table);
  __real_blas_memory_free(buffer);
}
}
