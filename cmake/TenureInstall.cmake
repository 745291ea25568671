# SPDX-License-Identifier: Apache-2.0
# What an install prefix holds.
