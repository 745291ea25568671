// SPDX-License-Identifier: Apache-2.0
// isa_level: fails to compile where the note claims another level than EXPECTED_LEVEL.
#include "tenure/provider_note.h"

_Static_assert(TENURE_ISA_LEVEL_HERE == EXPECTED_LEVEL, "the level of these compiler flags");
