#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a release build of libtenure has a function or an object of the borrow checks.

    check_symbols.py NM LIBRARY

BorrowError is none of them, since programs name it in both builds, and neither is a function that takes a
place or a token among its parameters: those are empty.
"""
import re
import subprocess
import sys

# Not the standard library's borrowed_range.
TRACE = re.compile(r"Borrow(?!Error)|borrow_(?!error)|\bLoan\b")


def name_of(symbol):
    """Without the parameters."""
    return symbol.replace("(anonymous namespace)", "").split("(", 1)[0]


def main(nm, library):
    listing = ""
    for table in ([], ["--dynamic"]):
        listing += subprocess.run([nm, "--demangle", *table, library], check=True, capture_output=True, text=True).stdout
    symbols = listing.splitlines()
    traces = sorted({symbol for symbol in symbols if TRACE.search(name_of(symbol))})
    print(f"{len(symbols)} symbols, {len(traces)} of the borrow checks")
    print("\n".join(traces))
    return len(symbols) < 100 or bool(traces)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
