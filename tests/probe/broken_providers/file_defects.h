/* SPDX-License-Identifier: Apache-2.0
 *
 * file_defects: the identity card of the provider behind the probe's tests, and the defects that show in
 * its file. Included once.
 */
#ifndef TENURE_TESTS_PROBE_FILE_DEFECTS_H
#define TENURE_TESTS_PROBE_FILE_DEFECTS_H

#include "defect.h"
#include "tenure/sdk/provider.h"

#define ID "org.tenure.test.broken"
#define VERSION "1.2.3"
#if BROKEN_RULE == BROKEN_FILE_NOTE_MATCHES_TABLE
#define TABLE_VERSION "1.2.4"
#else
#define TABLE_VERSION VERSION
#endif

#if BROKEN_RULE == BROKEN_FILE_ABI_VERSION
#undef TENURE_ABI_MAJOR
#define TENURE_ABI_MAJOR 9u
#elif BROKEN_RULE == BROKEN_FILE_ISA_LEVEL
#undef TENURE_ISA_LEVEL_HERE
#define TENURE_ISA_LEVEL_HERE 9
#elif BROKEN_RULE == BROKEN_FILE_SANITIZER
#undef TENURE_SANITIZERS_HERE
#define TENURE_SANITIZERS_HERE TENURE_SANITIZER_MEMORY
#endif

#if BROKEN_RULE == BROKEN_FILE_NOTE_ALIGNED
/* The greater of two alignments counts. */
__attribute__((section(TENURE_NOTE_SECTION), aligned(32))) static const tenure_note tenure_note_of_this_image;
#endif
#if BROKEN_RULE != BROKEN_FILE_NOTE_PRESENT
TENURE_NOTE(ID, VERSION, 0);
#endif

#if BROKEN_RULE == BROKEN_FILE_EXPORTS_ONE
TENURE_EXPORT void broken_second_export(void);
void broken_second_export(void) {}
#elif BROKEN_RULE == BROKEN_FILE_NO_GNU_UNIQUE
__asm__(
    ".pushsection .data\n"
    ".globl broken_unique\n"
    ".type broken_unique, @gnu_unique_object\n"
    ".size broken_unique, 8\n"
    "broken_unique: .quad 0\n"
    ".popsection\n");
#elif BROKEN_RULE == BROKEN_FILE_NO_CORE_SYMBOLS
extern void core_function(void) __asm__("_ZN6tenure8Registry5touchEv") __attribute__((weak));
void (*volatile broken_core_function)(void) = core_function;
#elif BROKEN_RULE == BROKEN_FILE_SYMBOLS_RESOLVED
extern void broken_function_of_nobody(void);
void (*volatile broken_missing_function)(void) = broken_function_of_nobody;
#elif BROKEN_RULE == BROKEN_FILE_DEPS_RESOLVED
extern void broken_dependency(void);
void (*volatile broken_needed_function)(void) = broken_dependency;
#elif BROKEN_RULE == BROKEN_FILE_TEXTREL
__asm__(
    ".pushsection .text\n"
    "broken_text_pointer: .quad broken_text_pointer\n"
    ".popsection\n");
#elif BROKEN_RULE == BROKEN_FILE_STATIC_TLS
__attribute__((tls_model("initial-exec"))) __thread int broken_thread_local;
int* broken_thread_local_address(void) { return &broken_thread_local; }
#elif BROKEN_RULE == BROKEN_LOAD_NOW
#include <stdlib.h>
void broken_abort(void) { abort(); }
#elif BROKEN_RULE == BROKEN_FILE_INITIALISERS
static volatile int broken_initialised;
__attribute__((constructor)) static void broken_initialise(void) { broken_initialised = 1; }
#endif

#endif /* TENURE_TESTS_PROBE_FILE_DEFECTS_H */
