/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_note: the identity card of a provider, an ELF note that is read before any of its code runs.
 */
#ifndef TENURE_PROVIDER_NOTE_H
#define TENURE_PROVIDER_NOTE_H

#include "tenure/provider_abi.h"

#define TENURE_NOTE_SECTION ".note.tenure"
#define TENURE_NOTE_OWNER "TENU"
#define TENURE_NOTE_TYPE 1u
#define TENURE_NOTE_MAGIC 0x554e4554u /* "TENU" in a little-endian file */

#define TENURE_NOTE_DRAFT 1u /* built against a draft of its ABI major */
#define TENURE_NOTE_FORK_SAFE 2u
#define TENURE_NOTE_SPAWNS_THREADS 4u
#define TENURE_NOTE_DEBUG 8u

#define TENURE_SANITIZER_ADDRESS 1u
#define TENURE_SANITIZER_THREAD 2u
#define TENURE_SANITIZER_MEMORY 4u

/* An ELF note, read from the file before any of its code runs. Texts are NUL terminated. */
typedef struct tenure_note {
  uint32_t owner_bytes;       /* 5 */
  uint32_t description_bytes; /* sizeof(tenure_note) - 20 */
  uint32_t type;              /* TENURE_NOTE_TYPE */
  char owner[8];              /* TENURE_NOTE_OWNER */
  uint32_t magic;             /* the description starts here */
  uint32_t bytes;             /* of the description; a later minor version appends */
  uint16_t abi_major;
  uint16_t abi_minor;      /* built against */
  uint16_t host_minor_min; /* oldest host that will do */
  uint16_t isa_level;      /* x86-64-v1 to -v4 as 1 to 4 that the whole image needs; 0: baseline */
  uint32_t flags;          /* TENURE_NOTE_* */
  uint32_t sanitizers;     /* TENURE_SANITIZER_* the image was built with */
  char id[64];
  char version[24];
  char sdk[16];
  char compiler[64];
} tenure_note;

/* The sanitizers of this compilation. */
#if defined(__has_feature)
#define TENURE_HAS_FEATURE(x) __has_feature(x)
#else
#define TENURE_HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || TENURE_HAS_FEATURE(address_sanitizer)
#define TENURE_SANITIZERS_HERE TENURE_SANITIZER_ADDRESS
#elif defined(__SANITIZE_THREAD__) || TENURE_HAS_FEATURE(thread_sanitizer)
#define TENURE_SANITIZERS_HERE TENURE_SANITIZER_THREAD
#elif TENURE_HAS_FEATURE(memory_sanitizer)
#define TENURE_SANITIZERS_HERE TENURE_SANITIZER_MEMORY
#else
#define TENURE_SANITIZERS_HERE 0u
#endif

/* The lowest level that has every instruction which this compilation may use anywhere in the image. */
#if defined(__AVX512F__)
#define TENURE_ISA_LEVEL_HERE 4
#elif defined(__AVX__) || defined(__BMI__) || defined(__BMI2__) || defined(__LZCNT__) || defined(__MOVBE__)
#define TENURE_ISA_LEVEL_HERE 3
#elif defined(__SSE3__) || defined(__SSSE3__) || defined(__SSE4_1__) || defined(__SSE4_2__) || \
    defined(__POPCNT__)
#define TENURE_ISA_LEVEL_HERE 2
#else
#define TENURE_ISA_LEVEL_HERE 0
#endif

/* The compiler's name and version. Its own __VERSION__ may be longer than the note's field. */
#define TENURE_DIGITS_OF(NUMBER) #NUMBER
#define TENURE_VERSION_TEXT(MAJOR, MINOR, PATCH) \
  TENURE_DIGITS_OF(MAJOR) "." TENURE_DIGITS_OF(MINOR) "." TENURE_DIGITS_OF(PATCH)
#if defined(__clang__)
#define TENURE_COMPILER_HERE \
  "Clang " TENURE_VERSION_TEXT(__clang_major__, __clang_minor__, __clang_patchlevel__)
#else
#define TENURE_COMPILER_HERE "GCC " TENURE_VERSION_TEXT(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#endif

#define TENURE_SDK_VERSION "0.1.0"

/* Defines the note of this image; write it once, at file scope. ID and VERSION are string literals
 * that equal the table's. aligned(4) keeps GCC from over-aligning the section, which readers reject. */
#define TENURE_NOTE(ID, VERSION, FLAGS)                                              \
  __attribute__((section(TENURE_NOTE_SECTION), used,                                 \
                 aligned(4))) static const tenure_note tenure_note_of_this_image = { \
      5,                                                                             \
      sizeof(tenure_note) - offsetof(tenure_note, magic),                            \
      TENURE_NOTE_TYPE,                                                              \
      TENURE_NOTE_OWNER,                                                             \
      TENURE_NOTE_MAGIC,                                                             \
      sizeof(tenure_note) - offsetof(tenure_note, magic),                            \
      TENURE_ABI_MAJOR,                                                              \
      TENURE_ABI_MINOR,                                                              \
      0,                                                                             \
      TENURE_ISA_LEVEL_HERE,                                                         \
      TENURE_NOTE_DRAFT | (FLAGS),                                                   \
      TENURE_SANITIZERS_HERE,                                                        \
      ID,                                                                            \
      VERSION,                                                                       \
      TENURE_SDK_VERSION,                                                            \
      TENURE_COMPILER_HERE}

#endif /* TENURE_PROVIDER_NOTE_H */
