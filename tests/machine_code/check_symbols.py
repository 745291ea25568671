#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a release build of libtenure has a symbol of the borrow checks.

    check_symbols.py NM LIBRARY

BorrowError is the exception, since programs name it in both builds.
"""
import re
import subprocess
import sys

# Not the standard library's borrowed_range.
TRACE = re.compile(r"Borrow(?!Error)|borrow_(?!error)|\bLoan\b")


def main(nm, library):
    listing = ""
    for table in ([], ["--dynamic"]):
        listing += subprocess.run([nm, "--demangle", *table, library], check=True, capture_output=True, text=True).stdout
    symbols = listing.splitlines()
    traces = sorted({symbol for symbol in symbols if TRACE.search(symbol)})
    print(f"{len(symbols)} symbols, {len(traces)} of the borrow checks")
    print("\n".join(traces))
    return len(symbols) < 100 or bool(traces)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
