/* SPDX-License-Identifier: Apache-2.0
 *
 * program: makes a program of the provider behind the probe's tests.
 */
int main(void) { return 0; }
