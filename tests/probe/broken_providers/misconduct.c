/* SPDX-License-Identifier: Apache-2.0
 *
 * misconduct: providers that crash, hang, flood and lie, for the tests of the probe's own robustness.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "state.h"

static volatile int for_ever = 1;
static volatile uintptr_t no_address = 0x10;

static void flood(void) {
  for (int line = 0; line < 40000; ++line) puts("{\"schema\": \"tenure-probe/1\", \"exit\": {\"code\": 0}}");
}

/* The length that a message begins with, a token that the probe did not give, and a verdict. */
static void forge_verdict(void) {
  static const char text[] = "aaaaaaaaaaaaaaaa{\"verdict\": \"passed\", \"message\": \"\"}";
  const uint32_t bytes = sizeof text - 1;
  for (int descriptor = 3; descriptor < 10; ++descriptor) {
    if (write(descriptor, &bytes, sizeof bytes) < 0 || write(descriptor, text, bytes) < 0) continue;
  }
  _exit(0);
}

/* A process of the provider's own that outlives the one that opened it, and says who it is. */
static void leave_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  fprintf(stderr, "left child %d\n", (int)child);
}

void misconduct_in_open(void) {
  if (IS_BROKEN(HANG_UNMOVED)) signal(SIGABRT, SIG_IGN);
  if (IS_BROKEN(HANG_IN_OPEN) || IS_BROKEN(HANG_UNMOVED)) {
    while (for_ever) usleep(1000);
  }
  if (IS_BROKEN(FLOOD)) flood();
  if (IS_BROKEN(FORGED_REPORT)) {
    puts("{\"schema\": \"tenure-probe/1\", \"exit\": {\"code\": 0, \"name\": \"good\"}, \"files\": []}");
    fflush(stdout);
    _exit(0);
  }
  if (IS_BROKEN(LEFT_CHILD)) leave_child();
}

void misconduct_in_create(void) {
  if (IS_BROKEN(CRASH_IN_CREATE)) *(volatile int*)no_address = 1;
  if (IS_BROKEN(EXIT_IN_CREATE)) _exit(0);
  if (IS_BROKEN(FORGED_VERDICT)) forge_verdict();
}

#if BROKEN_RULE == BROKEN_CRASH_WHEN_MAPPED
__attribute__((constructor)) static void crash_when_mapped(void) { abort(); }
#endif
