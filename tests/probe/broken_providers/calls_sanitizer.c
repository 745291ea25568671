/* SPDX-License-Identifier: Apache-2.0
 *
 * calls_sanitizer: a library without an identity card, with what AddressSanitizer adds to a file.
 */
void __asan_init(void);
__attribute__((constructor)) static void start_sanitizer(void) { __asan_init(); }
