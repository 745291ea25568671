// SPDX-License-Identifier: Apache-2.0
// fake_cuda_driver: answers for its version, and ends the process when it is asked to start anything.
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int cuDriverGetVersion(int* version);
EXPORTED int cuInit(unsigned int flags);
EXPORTED int cuDeviceGetCount(int* count);

int cuDriverGetVersion(int* version) {
  if (DRIVER_ERROR == 0) *version = DRIVER_VERSION;
  return DRIVER_ERROR;
}

int cuInit(unsigned int flags) {
  (void)flags;
  abort();
}

int cuDeviceGetCount(int* count) {
  (void)count;
  abort();
}
