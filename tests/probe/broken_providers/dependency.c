/* SPDX-License-Identifier: Apache-2.0
 *
 * dependency: a library that the provider with an unresolved dependency needs.
 */
#include "tenure/provider_abi.h"

TENURE_EXPORT void broken_dependency(void);
void broken_dependency(void) {}
