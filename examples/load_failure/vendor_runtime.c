/* SPDX-License-Identifier: Apache-2.0 */
__attribute__((visibility("default"))) int vendor_device_count(void);

int vendor_device_count(void) { return 0; }
