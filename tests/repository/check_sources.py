#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what every file of the repository must have, and reports sizes.

    check_sources.py ROOT

Fails on: a source without its licence line, a `;` in a test's name (CTest would split it and run
nothing), a file over 450 lines or a function over 90 that tests/repository/size_exceptions.txt does not
name with a reason. Prints every file over 400 lines.
"""
import pathlib
import re
import sys

SOURCES = {".h", ".hpp", ".c", ".cpp", ".cu", ".cuh", ".py", ".cmake", ".map"}
CODE = {".h", ".hpp", ".c", ".cpp", ".cu", ".cuh"}
FILE_LINES_REPORTED = 400
FILE_LINES_MAX = 450
FUNCTION_LINES_MAX = 90
TEST_NAME = re.compile(r'TEST_CASE(?:_TEMPLATE)?\(\s*"((?:[^"\\]|\\.)*)"')


def exceptions(root):
    file = root / "tests/repository/size_exceptions.txt"
    lines = file.read_text().splitlines() if file.exists() else []
    return {line.split()[0] for line in lines if line and not line.startswith("#")}


def functions(lines):
    """(first line, length) of every block that starts at column 0 and ends with a `}` there."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None and line.endswith("{") and line[:1].strip() and not re.match(
            r"(namespace|class|struct|enum|extern|union|TEST_SUITE|inline constexpr|constexpr|static const|const)\b", line
        ):
            start = number
        elif start is not None and line.startswith("}"):
            yield start, number - start + 1
            start = None


def check(root):
    problems, report = [], []
    allowed = exceptions(root)
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        text_name = relative.as_posix()
        if relative.parts[0] in ("build", ".git") or path.suffix not in SOURCES and path.name != "CMakeLists.txt":
            continue
        lines = path.read_text().splitlines()
        if path.suffix != ".map" and not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
            problems.append(f"{relative}:1: no SPDX-License-Identifier: Apache-2.0 in the first three lines")
        for name in TEST_NAME.findall("\n".join(lines)) if path.suffix in CODE else []:
            if ";" in name:
                problems.append(f"{relative}: the test name '{name}' holds a `;`, which CTest splits")
        if path.suffix in CODE:
            if len(lines) > FILE_LINES_REPORTED:
                report.append(f"{relative}: {len(lines)} lines")
            if len(lines) > FILE_LINES_MAX and text_name not in allowed:
                problems.append(f"{relative}: {len(lines)} lines; split it by noun or name it in size_exceptions.txt")
            for start, length in functions(lines):
                if length > FUNCTION_LINES_MAX and text_name not in allowed and "tests" != relative.parts[0]:
                    problems.append(f"{relative}:{start}: a function of {length} lines")
    return problems, report


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    problems, report = check(pathlib.Path(sys.argv[1]))
    print("\n".join(report + problems) or "all sources are in order")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
