#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a C or C++ file that clang-format 14 would change. Exits 77 where that is not installed.

    check_format.py ROOT
"""
import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
tool = shutil.which("clang-format-14")
if tool is None:
    print("skipped: clang-format-14 is not installed; tools/install_packages clang brings it")
    sys.exit(77)
files = [
    str(path)
    for path in sorted(root.rglob("*"))
    if path.suffix in {".h", ".hpp", ".c", ".cpp", ".cu", ".cuh"}
    and path.relative_to(root).parts[0] not in ("build", ".git")
]
sys.exit(subprocess.run([tool, "--dry-run", "-Werror", *files]).returncode)
