#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what overlap_pairs says with NumPy's exact test.

    compare_with_numpy.py PROGRAM

Asks PROGRAM for 100,000 seeded pairs of ranks up to 6 and numpy.shares_memory for the same pairs. Fails on
the first that differ. Skipped, with a reason, where Python has no NumPy.
"""
import subprocess
import sys

SEED, COUNT, RANK_MAX = 20240615, 100_000, 6
MEMORY_BYTES = 1 << 21


def take_reading(numbers, memory, numpy):
    """The next reading of a line, as an array over `memory`."""
    element_bytes, first, rank = next(numbers), next(numbers), next(numbers)
    extents = [next(numbers) for _ in range(rank)]
    strides = [next(numbers) for _ in range(rank)]
    element = memory[first : first + element_bytes].view(f"V{element_bytes}")
    return numpy.lib.stride_tricks.as_strided(element, extents, strides)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    try:
        import numpy
    except ImportError:
        print("skipped: this Python has no NumPy to compare with")
        sys.exit(77)
    memory = numpy.zeros(MEMORY_BYTES, numpy.uint8)
    command = [sys.argv[1], str(SEED), str(COUNT), str(RANK_MAX)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    overlaps = 0
    for line in lines:
        answer, *fields = line.split()
        numbers = iter(map(int, fields))
        a = take_reading(numbers, memory, numpy)
        b = take_reading(numbers, memory, numpy)
        expected = "yes" if numpy.shares_memory(a, b) else "no"
        overlaps += expected == "yes"
        if answer != expected:
            sys.exit(f"NumPy says {expected}: {line}")
    if len(lines) != COUNT or not COUNT // 10 < overlaps < COUNT * 9 // 10:
        sys.exit(f"{len(lines)} pairs, of which {overlaps} overlap, compare too little")
    print(f"{len(lines)} pairs, {overlaps} overlap, all as NumPy {numpy.__version__} says")


if __name__ == "__main__":
    main()
