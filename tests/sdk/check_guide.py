#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a code block of the guide differs from the file that it shows.

    check_guide.py ROOT

A block is a copy when the line before it is `<!-- file: PATH -->`.
"""
import pathlib
import re
import sys

COPY = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    root = pathlib.Path(sys.argv[1])
    copies = COPY.findall((root / "docs/writing_a_provider.md").read_text())
    changed = [path for path, text in copies if text != (root / path).read_text()]
    if len(copies) < 2 or changed:
        sys.exit(f"docs/writing_a_provider.md has {len(copies)} copies of files; different: {', '.join(changed) or 'none'}")


if __name__ == "__main__":
    main()
