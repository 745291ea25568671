// SPDX-License-Identifier: Apache-2.0
// Cases that check_refusal.cmake must find wrong.

#ifdef REFUSE_what_compiles  // expect: delete
int what_compiles();
#endif

#ifdef REFUSE_with_other_words  // expect: packs its elements
static_assert(false, "another sentence");
#endif
