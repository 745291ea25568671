#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that object files define no symbol for other files but one, their kernel table, or that none
refers to oneTBB.

    check_kernel_symbols.py kernels OBJECT...
    check_kernel_symbols.py serial OBJECT...

A function that two kernel files shared would be linked once, with the instructions of either ISA level. An
AddressSanitizer build gives each table an indicator, which belongs to it.
"""
import subprocess
import sys

SANITIZER = ("__odr_asan", "__asan_", "__tsan_", "__ubsan_")


def defined_symbols(path):
    """(type, name) of every symbol that the linker can see and that this object defines."""
    out = subprocess.run(
        ["nm", "--defined-only", "--extern-only", "--demangle", path], capture_output=True, text=True, check=True
    ).stdout
    symbols = [line.split(maxsplit=2)[1:] for line in out.splitlines() if line]
    return [(kind, name) for kind, name in symbols if not name.startswith(SANITIZER)]


def check_kernels(path):
    names = [name for _, name in defined_symbols(path)]
    tables = [name for name in names if name.endswith("_table")]
    others = sorted(set(names) - set(tables))
    if len(tables) != 1 or others:
        return f"{path}: expected one table and nothing else, found {', '.join(sorted(names)) or 'nothing'}"
    return None


def check_serial(path):
    out = subprocess.run(["nm", "--undefined-only", "--demangle", path], capture_output=True, text=True, check=True)
    uses = sorted({line.split(maxsplit=1)[1] for line in out.stdout.splitlines() if "tbb::" in line})
    return f"{path}: refers to oneTBB: {uses[0]}" if uses else None


def main():
    checks = {"kernels": check_kernels, "serial": check_serial}
    if len(sys.argv) < 3 or sys.argv[1] not in checks:
        raise SystemExit(__doc__)
    problems = [problem for problem in map(checks[sys.argv[1]], sys.argv[2:]) if problem]
    print("\n".join(problems) or f"{len(sys.argv) - 2} objects are in order")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
